import { t } from '@lingui/core/macro';
import { Badge, Group, Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { KindPicture } from '../../kinds/kind-picture.js';
import { UseBadge } from '../../kinds/use-badge.js';
import type { Column } from '../../ui/data-table.js';
import { AssetLink } from '../../ui/object-links.js';
import { numberText } from '../../ui/quantity.js';
import { TagBadge, tagTypeName } from '../../ui/tag-badge.js';
import { UserText } from '../../ui/user-text.js';
import { SeenWhen } from '../../ui/seen-when.js';
import { When } from '../../ui/when.js';
import classes from './asset-columns.module.css';
import { AssetState } from './asset-state.js';
import { LocationName, LocationPath } from './location-path.js';
import { detailPrefix } from './search.js';

export type AssetRow = Outputs['assets']['table']['data'][number];

/** The columns of the list, each one line high. The ids of sortable columns are the service's names. */
export const assetColumns: Column<AssetRow>[] = [
  { id: 'name', header: t`Name`, isSortable: true, cell: (row) => <Name asset={row} /> },
  {
    id: 'external_key',
    header: t`Key`,
    isSortable: true,
    hideBelow: 'sm',
    cell: (row) => (
      <div className={classes['short']}>
        <UserText lines={1}>{row.external_key}</UserText>
      </div>
    ),
  },
  {
    id: 'kind',
    header: t`Kind`,
    isSortable: true,
    hideBelow: 'lg',
    cell: (row) => (
      <div className={classes['short']}>
        <UserText lines={1}>{row.kind?.name ?? ''}</UserText>
      </div>
    ),
  },
  {
    id: 'location',
    header: t`Location`,
    isSortable: true,
    cell: (row) => (
      <div className={classes['long']}>
        <Group gap={6} wrap="nowrap">
          <LocationPath
            location={row.location}
            isSeen={row.asset_last_seen !== null}
            isOneLine
            containers={row.containers}
          />
          <UseBadge asset={row} />
        </Group>
      </div>
    ),
  },
  { id: 'belongs_to', header: t`Belongs to`, hideBelow: 'sm', cell: (row) => <BelongsTo asset={row} /> },
  {
    id: 'asset_last_seen',
    header: t`Last seen`,
    isSortable: true,
    hideBelow: 'xs',
    cell: (row) => (
      <span className={classes['line']}>
        <SeenWhen at={row.asset_last_seen} placement={row.placement} />
      </span>
    ),
  },
  {
    id: 'located_since',
    header: t`Here since`,
    hideBelow: 'lg',
    cell: (row) => (
      <span className={classes['line']}>
        <When at={row.located_since} never="" />
      </span>
    ),
  },
  { id: 'status', header: t`Status`, hideBelow: 'md', cell: (row) => <AssetState asset={row} /> },
  { id: 'tags', header: t`Tags`, hideBelow: 'lg', cell: (row) => <Tags asset={row} /> },
  { id: 'battery', header: t`Battery`, hideBelow: 'sm', cell: (row) => <Battery percent={row.battery} /> },
  {
    id: 'description',
    header: t`Description`,
    hideBelow: 'md',
    cell: (row) => (
      <div className={classes['long']}>
        <UserText lines={1}>{row.description}</UserText>
      </div>
    ),
  },
  {
    id: 'updated_at',
    header: t`Changed`,
    isSortable: true,
    hideBelow: 'md',
    cell: (row) => (
      <span className={classes['line']}>
        <When at={row.updated_at} />
      </span>
    ),
  },
  {
    id: 'created_at',
    header: t`Created`,
    isSortable: true,
    hideBelow: 'md',
    cell: (row) => (
      <span className={classes['line']}>
        <When at={row.created_at} />
      </span>
    ),
  },
];

/** The columns that are hidden until they are chosen. */
export const hiddenAtFirst = [
  'kind',
  'belongs_to',
  'located_since',
  'battery',
  'description',
  'updated_at',
  'created_at',
];

/** Returns the column of a custom detail. */
export function detailColumn(key: string): Column<AssetRow> {
  return {
    id: `${detailPrefix}${key}`,
    isSortable: true,
    header: () => (
      <span className={classes['short']}>
        <UserText lines={1}>{key}</UserText>
      </span>
    ),
    hideBelow: 'sm',
    cell: (row) => (
      <div className={classes['short']}>
        <UserText lines={1}>{row.details[key] ?? ''}</UserText>
      </div>
    ),
  };
}

function Battery({ percent }: { percent: number | null }) {
  if (percent === null) return null;
  const text = numberText(Math.round(percent));
  return <span className={classes['line']}>{t`${text} %`}</span>;
}

function Name({ asset }: { asset: AssetRow }) {
  return (
    <>
      <div className={classes['name']}>
        {asset.kind && (
          <span className={classes['kind']} title={asset.kind.name}>
            <KindPicture kind={asset.kind} />
          </span>
        )}
        <AssetLink id={asset.id} name={asset.name} fw={550} fz="inherit" lh="inherit" c="inherit" lines={1} />
      </div>
      <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
        <UserText>{asset.external_key}</UserText>
      </Text>
      <Group hiddenFrom="md" gap={4}>
        <AssetState asset={asset} quiet />
      </Group>
    </>
  );
}

/** The location that it belongs to, and whether it is away. */
function BelongsTo({ asset: { belongs_to: belongsTo, is_away: isAssetAway } }: { asset: AssetRow }) {
  if (!belongsTo) return null;
  return (
    <div className={classes['long']}>
      <Group gap={6} wrap="nowrap">
        {belongsTo.is_deleted ? (
          <Text c="dimmed" size="sm" component="span">
            <LocationName location={belongsTo} />
          </Text>
        ) : (
          <UserText lines={1}>{belongsTo.name}</UserText>
        )}
        {isAssetAway && <Badge size="sm" color="orange" tt="none" flex="none">{t`Away`}</Badge>}
      </Group>
    </div>
  );
}

/** The first tag, and how many more there are; all of them on hover. */
function Tags({ asset: { tags } }: { asset: AssetRow }) {
  const [first, ...others] = tags;
  if (!first) return null;
  const all = tags.map(({ tag_type: type, value }) => `${tagTypeName(type)} ${value}`).join('\n');
  return (
    <Group gap={4} wrap="nowrap" className={classes['tags'] ?? ''}>
      <TagBadge type={first.tag_type} value={first.value} size="md" />
      {others.length > 0 && (
        <Text size="xs" c="dimmed" component="span" title={all}>
          +{others.length}
        </Text>
      )}
    </Group>
  );
}
