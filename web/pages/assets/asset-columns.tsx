import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Outputs } from '../../api/trpc.js';
import type { ColumnDef } from '../../ui/data-table.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { AssetState } from './asset-state.js';
import { PlacePath } from './place-path.js';

export type AssetRow = Outputs['assets']['table']['data'][number];

const shownTags = 2;

/** The columns of the list; ids of those that sort are the service's names. */
export const assetColumns: ColumnDef<AssetRow>[] = [
  { id: 'name', header: 'Name', enableSorting: true, cell: ({ row }) => <Name asset={row.original} /> },
  {
    id: 'external_key',
    header: 'Key',
    enableSorting: true,
    meta: { hideBelow: 'sm' },
    cell: ({ row }) => (
      <Text component="div" inherit maw={160}>
        <UserText lines={1}>{row.original.external_key}</UserText>
      </Text>
    ),
  },
  {
    id: 'location',
    header: 'Location',
    cell: ({ row }) => <PlacePath place={row.original.location} isSeen={row.original.asset_last_seen !== null} />,
  },
  {
    id: 'asset_last_seen',
    header: 'Last seen',
    enableSorting: true,
    meta: { hideBelow: 'xs' },
    cell: ({ row }) => <When at={row.original.asset_last_seen} />,
  },
  {
    id: 'located_since',
    header: 'Here since',
    meta: { hideBelow: 'lg' },
    cell: ({ row }) => <When at={row.original.located_since} never="" />,
  },
  { id: 'status', header: 'Status', meta: { hideBelow: 'md' }, cell: ({ row }) => <AssetState asset={row.original} /> },
  {
    id: 'tags',
    header: 'Tags',
    meta: { hideBelow: 'lg' },
    cell: ({ row }) => <Tags asset={row.original} />,
  },
  {
    id: 'description',
    header: 'Description',
    meta: { hideBelow: 'md' },
    cell: ({ row }) => <UserText>{row.original.description}</UserText>,
  },
  {
    id: 'updated_at',
    header: 'Changed',
    enableSorting: true,
    meta: { hideBelow: 'md' },
    cell: ({ row }) => <When at={row.original.updated_at} />,
  },
  {
    id: 'created_at',
    header: 'Created',
    enableSorting: true,
    meta: { hideBelow: 'md' },
    cell: ({ row }) => <When at={row.original.created_at} />,
  },
];

/** Left out until somebody chooses them. */
export const hiddenAtFirst = ['located_since', 'description', 'updated_at', 'created_at'];

function Name({ asset }: { asset: AssetRow }) {
  return (
    <>
      <Anchor
        component={Link}
        {...({ to: '/assets/$assetId', params: { assetId: String(asset.id) } } as object)}
        fw={550}
        c="inherit"
      >
        <UserText>{asset.name}</UserText>
      </Anchor>
      <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
        <UserText>{asset.external_key}</UserText>
      </Text>
      <Group hiddenFrom="md" gap={4}>
        <AssetState asset={asset} quiet />
      </Group>
    </>
  );
}

function Tags({ asset: { tags } }: { asset: AssetRow }) {
  return (
    <Group gap={4} maw={260}>
      {tags.slice(0, shownTags).map((tag) => (
        <TagBadge key={tag.id} type={tag.tag_type} value={tag.value} />
      ))}
      {tags.length > shownTags && <Badge color="gray">{`${tags.length - shownTags} more`}</Badge>}
    </Group>
  );
}
