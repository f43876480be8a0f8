import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import type { ColumnDef } from '../../ui/data-table.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { UnknownValue } from './unknown-value.js';

type Acts = { onMake?: (value: UnknownValue) => void; onAttach?: (value: UnknownValue) => void };

/** The columns of the list, with actions that the role allows. */
export function unknownColumns({ onMake, onAttach }: Acts): ColumnDef<UnknownValue>[] {
  const columns: ColumnDef<UnknownValue>[] = [
    {
      id: 'value',
      header: t`Tag`,
      cell: ({ row: { original } }) => <TagBadge type={original.tag_type} value={original.value} />,
    },
    {
      id: 'where',
      header: t`Location`,
      meta: { hideBelow: 'sm' },
      cell: ({ row: { original } }) => <Places of={original} />,
    },
    {
      id: 'count',
      header: t`Reads`,
      meta: { align: 'end', hideBelow: 'sm' },
      cell: ({ row: { original } }) => numberText(original.count),
    },
    {
      id: 'last_seen',
      header: t`Last seen`,
      meta: { hideBelow: 'xs' },
      cell: ({ row: { original } }) => <When at={original.last_seen} />,
    },
    {
      id: 'first_seen',
      header: t`First seen`,
      meta: { hideBelow: 'lg' },
      cell: ({ row: { original } }) => <When at={original.first_seen} />,
    },
  ];
  if (!onMake || !onAttach) return columns;
  return [
    ...columns,
    {
      id: 'acts',
      header: t`Actions`,
      meta: { align: 'end' },
      cell: ({ row: { original } }) => (
        <Group gap="xs" justify="flex-end">
          <Button size="xs" onClick={() => onMake(original)} aria-label={t`Create asset from ${original.value}`}>
            <Trans>Create asset</Trans>
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => onAttach(original)}
            aria-label={t`Attach ${original.value} to an asset`}
          >
            <Trans>Attach</Trans>
          </Button>
        </Group>
      ),
    },
  ];
}

function Places({ of: { places, place_count } }: { of: UnknownValue }) {
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
            {source} and {quantity(place_count - 1, 'other location')}
          </Trans>
        ) : (
          source
        )}
      </Text>
    </>
  );
}
