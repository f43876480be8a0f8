import { plural, t } from '@lingui/core/macro';
import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { useOpenCount } from '../../alerts/open-count.js';
import type { Outputs } from '../../api/trpc.js';
import { useFormats } from '../../ui/formats.js';
import type { LinkedProps } from '../../ui/links.js';
import { quantity } from '../../ui/quantity.js';
import classes from './home.module.css';

type Assets = Outputs['home']['summary']['assets'];
type Trends = Outputs['home']['trends'];

export type TilesProps = { assets: Assets | undefined; trends: Trends | undefined };

/** The main figures, each with its trend and a link to what it counts. */
export function Tiles({ assets, trends }: TilesProps) {
  const alerts = useOpenCount();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <TileLink
        label={t`Active assets`}
        n={assets?.total}
        trend={trends && changeText(trends.assets_added - trends.assets_removed)}
        to="/assets"
        search={{ in_effect: true }}
      />
      <TileLink
        label={t`Seen in 24 h`}
        n={assets?.seen_24h}
        trend={assets && seenText(assets)}
        to="/assets"
        search={{ in_effect: true, seen: true, sort: '-asset_last_seen' }}
      />
      <TileLink
        label={t`Moved today`}
        n={assets?.moved_today}
        trend={trends && t`${quantity(trends.moved_yesterday, 'asset')} yesterday by this time`}
        to="/assets"
        search={{ in_effect: true, moved: 'today' }}
      />
      <TileLink
        label={t`Open alerts`}
        n={alerts?.count}
        text={alerts?.text}
        unitOf={(n) => plural(n, { one: 'alert', other: 'alerts' })}
        trend={trends && t`${trends.alerts_opened} new in 24 h, ${trends.alerts_opened_before} the day before`}
        to="/alerts"
      />
    </SimpleGrid>
  );
}

function changeText(change: number): string {
  if (change === 0) return t`No change in 24 h`;
  return change > 0 ? t`+${quantity(change, 'asset')} in 24 h` : t`−${quantity(-change, 'asset')} in 24 h`;
}

function seenText({ seen_day_before: before }: Assets): string {
  return t`${quantity(before, 'asset')} not seen since the day before`;
}

function assetWord(n: number): string {
  return plural(n, { one: 'asset', other: 'assets' });
}

type TileProps = LinkedProps<{
  label: string;
  n: number | undefined;
  /** The text of the figure if it is not the number itself, such as `999+`. */
  text?: string | undefined;
  /** The word after the figure. */
  unitOf?: (n: number) => string;
  /** Undefined while it is not known. */
  trend: string | undefined;
}>;

function PlainTile({ label, n, text, unitOf = assetWord, trend, ...anchor }: TileProps) {
  const { number } = useFormats();
  return (
    <Paper component="a" withBorder p="md" {...anchor} className={classes['tile'] ?? ''}>
      <Text size="sm" c="dimmed" component="span">
        {label}
      </Text>
      {n === undefined ? (
        <Skeleton height={29} width={72} my={3} />
      ) : (
        <span className={classes['figure']}>
          {text ?? number.format(n)}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {unitOf(n)}
          </Text>
        </span>
      )}
      <Text size="xs" c="dimmed" component="span" mih="1.4em">
        {trend}
      </Text>
    </Paper>
  );
}

const TileLink = createLink(PlainTile);
