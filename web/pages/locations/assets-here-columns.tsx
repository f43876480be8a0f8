import { t } from '@lingui/core/macro';
import { Badge, Group } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { InContainersLine } from '../../containers/in-containers.js';
import type { ColumnDef } from '../../ui/data-table.js';
import { AssetLink, LocationLink } from '../../ui/object-links.js';
import { type Placement, SeenWhen } from '../../ui/seen-when.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { LocationName } from '../assets/location-path.js';

type Present = Outputs['visits']['assets']['data'][number];

/**
 * An asset that is or was at a location. Live rows have the last read or placement; rows of the past have the time when the asset
 * left.
 */
export type Shown = Omit<Present, 'location' | 'belongs_to_now'> & {
  belongs_to_now?: Present['belongs_to_now'];
  /** Null for an asset that has just moved to no known location. */
  location: Present['location'] | null;
  is_active?: boolean;
  last_seen?: string;
  placement?: Placement | null;
};

const asset: ColumnDef<Shown> = {
  id: 'name',
  header: t`Asset`,
  cell: ({ row: { original } }) => (
    <>
      <Group gap="xs" wrap="nowrap">
        {original.is_deleted ? (
          <UserText>{original.name}</UserText>
        ) : (
          <AssetLink id={original.id} name={original.name} fw={550} />
        )}
        {original.is_deleted && <Badge color="gray">{t`Deleted`}</Badge>}
        {original.is_active === false && <Badge color="gray">{t`Inactive`}</Badge>}
      </Group>
      <InContainersLine containers={original.containers} />
    </>
  ),
};

const key: ColumnDef<Shown> = {
  id: 'external_key',
  header: t`Key`,
  meta: { hideBelow: 'md' },
  cell: ({ row: { original } }) => <UserText>{original.external_key}</UserText>,
};

const locationColumn: ColumnDef<Shown> = {
  id: 'location',
  header: t`Location`,
  cell: ({ row: { original } }) =>
    original.location ? <LocationLink id={original.location.id} name={original.location.name} /> : t`No known location`,
};

const arrived = (header: string): ColumnDef<Shown> => ({
  id: 'arrived',
  header,
  meta: { hideBelow: 'sm' },
  cell: ({ row: { original } }) => <When at={original.arrived_at} />,
});

const lastSeen: ColumnDef<Shown> = {
  id: 'last_seen',
  header: t`Last seen`,
  cell: ({ row: { original } }) => <SeenWhen at={original.last_seen ?? null} placement={original.placement ?? null} />,
};

const left: ColumnDef<Shown> = {
  id: 'left',
  header: t`Left`,
  cell: ({ row: { original } }) => <When at={original.left_at} never={t`Still here`} />,
};

const belongsToNow: ColumnDef<Shown> = {
  id: 'belongs_to_now',
  header: t`Belongs to (now)`,
  meta: { hideBelow: 'sm' },
  cell: ({ row: { original } }) =>
    original.belongs_to_now ? <LocationName location={original.belongs_to_now} /> : null,
};

type ShownColumns = {
  isLive: boolean;
  sublocations: boolean;
  /** Whether one of the assets belongs to a location. */
  hasBelonging: boolean;
};

/** Returns the columns for assets that are here now, or were here at an instant. */
export function presentColumns({ isLive, sublocations, hasBelonging }: ShownColumns): ColumnDef<Shown>[] {
  const columns = [asset, key, ...(sublocations ? [locationColumn] : [])];
  if (isLive) return [...columns, arrived(t`Here since`), lastSeen];
  return [...columns, arrived(t`Arrived`), left, ...(hasBelonging ? [belongsToNow] : [])];
}
