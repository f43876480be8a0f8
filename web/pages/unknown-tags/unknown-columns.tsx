import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { Column } from '../../ui/data-table.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { UnknownValue } from './unknown-value.js';

type Acts = { onMake?: (value: UnknownValue) => void; onAttach?: (value: UnknownValue) => void };

/** Returns the columns of the list, with actions that the role allows. */
export function unknownColumns({ onMake, onAttach }: Acts): Column<UnknownValue>[] {
  const columns: Column<UnknownValue>[] = [
    {
      id: 'value',
      header: t`Tag`,
      cell: (row) => (
        <Stack gap={6} align="flex-start">
          <TagBadge type={row.tag_type} value={row.value} isWhole />
          {/* On a phone the actions are below the value, which then has the width of the screen. */}
          {onMake && onAttach && (
            <Box hiddenFrom="xs">
              <Buttons of={row} onMake={onMake} onAttach={onAttach} />
            </Box>
          )}
        </Stack>
      ),
    },
    { id: 'where', header: t`Location`, hideBelow: 'sm', cell: (row) => <Antennas of={row} /> },
    { id: 'count', header: t`Reads`, align: 'end', hideBelow: 'sm', cell: (row) => numberText(row.count) },
    { id: 'last_seen', header: t`Last seen`, hideBelow: 'xs', cell: (row) => <When at={row.last_seen} /> },
    { id: 'first_seen', header: t`First seen`, hideBelow: 'lg', cell: (row) => <When at={row.first_seen} /> },
  ];
  if (!onMake || !onAttach) return columns;
  return [
    ...columns,
    {
      id: 'acts',
      header: t`Actions`,
      align: 'end',
      hideBelow: 'xs',
      cell: (row) => <Buttons of={row} onMake={onMake} onAttach={onAttach} />,
    },
  ];
}

function Buttons({ of, onMake, onAttach }: Required<Acts> & { of: UnknownValue }) {
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" onClick={() => onMake(of)} aria-label={t`Create asset from ${of.value}`}>
        <Trans>Create asset</Trans>
      </Button>
      <Button size="xs" variant="default" onClick={() => onAttach(of)} aria-label={t`Attach ${of.value} to an asset`}>
        <Trans>Attach</Trans>
      </Button>
    </Group>
  );
}

function Antennas({ of: { places, place_count } }: { of: UnknownValue }) {
  const [latest] = places;
  if (!latest) return null;
  const { reader, antenna, location } = latest;
  const name = reader && reader.name !== '' ? reader.name : t`a deleted reader`;
  const source = reader && (
    <>
      {location && <UserText>{name}</UserText>}
      {location && antenna !== null && ', '}
      {antenna !== null && t`antenna ${antenna}`}
    </>
  );
  return (
    <>
      <Text size="sm" component="div">
        <UserText>{location ? location.name : reader ? name : t`Handheld`}</UserText>
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {place_count > 1 ? (
          <Trans>
            {source} · also {quantity(place_count - 1, 'other location')}
          </Trans>
        ) : (
          source
        )}
      </Text>
    </>
  );
}
