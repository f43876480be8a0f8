import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Outputs } from '../../api/trpc.js';
import classes from './home.module.css';

type Assets = Outputs['home']['summary']['assets'];

/** The counts of assets, each a way to the list of those. */
export function Tiles({ assets }: { assets: Assets | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Tile label="Active assets" n={assets?.total} search={{ in_effect: true }} />
      <Tile label="Seen at least once" n={assets?.seen} search={{ in_effect: true, seen: true }} />
      <Tile
        label="Never seen"
        n={assets && Math.max(0, assets.total - assets.seen)}
        search={{ in_effect: true, seen: false }}
      />
      <Tile label="Moved today" n={assets?.moved_today} search={{ in_effect: true, moved: 'today' }} />
    </SimpleGrid>
  );
}

type TileProps = { label: string; n: number | undefined; search: Record<string, unknown> };

function Tile({ label, n, search }: TileProps) {
  return (
    <Paper withBorder p="md" className={classes['tile']} component={Link} {...({ to: '/assets', search } as object)}>
      <Text size="sm" c="dimmed" component="span">
        {label}
      </Text>
      {n === undefined ? (
        <Skeleton height={29} width={72} my={3} />
      ) : (
        <span className={classes['figure']}>
          {n.toLocaleString()}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {n === 1 ? 'asset' : 'assets'}
          </Text>
        </span>
      )}
    </Paper>
  );
}
