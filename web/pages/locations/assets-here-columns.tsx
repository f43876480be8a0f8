import { t } from '@lingui/core/macro';
import { Badge, Group } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { InContainersLine } from '../../containers/in-containers.js';
import type { Column } from '../../ui/data-table.js';
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

const asset: Column<Shown> = {
  id: 'name',
  header: t`Asset`,
  cell: (row) => (
    <>
      <Group gap="xs" wrap="nowrap">
        {row.is_deleted ? <UserText>{row.name}</UserText> : <AssetLink id={row.id} name={row.name} fw={550} />}
        {row.is_deleted && <Badge color="gray">{t`Deleted`}</Badge>}
        {row.is_active === false && <Badge color="gray">{t`Inactive`}</Badge>}
      </Group>
      <InContainersLine containers={row.containers} />
    </>
  ),
};

const key: Column<Shown> = {
  id: 'external_key',
  header: t`Key`,
  hideBelow: 'md',
  cell: (row) => <UserText>{row.external_key}</UserText>,
};

const locationColumn: Column<Shown> = {
  id: 'location',
  header: t`Location`,
  cell: (row) => (row.location ? <LocationLink id={row.location.id} name={row.location.name} /> : t`No known location`),
};

const arrived = (header: string): Column<Shown> => ({
  id: 'arrived',
  header,
  hideBelow: 'sm',
  cell: (row) => <When at={row.arrived_at} />,
});

const lastSeen: Column<Shown> = {
  id: 'last_seen',
  header: t`Last seen`,
  cell: (row) => <SeenWhen at={row.last_seen ?? null} placement={row.placement ?? null} />,
};

const left: Column<Shown> = {
  id: 'left',
  header: t`Left`,
  cell: (row) => <When at={row.left_at} never={t`Still here`} />,
};

const belongsToNow: Column<Shown> = {
  id: 'belongs_to_now',
  header: t`Belongs to (now)`,
  hideBelow: 'sm',
  cell: (row) => (row.belongs_to_now ? <LocationName location={row.belongs_to_now} /> : null),
};

type ShownColumns = {
  isLive: boolean;
  sublocations: boolean;
  /** Whether one of the assets belongs to a location. */
  hasBelonging: boolean;
};

/** Returns the columns for assets that are here now, or were here at an instant. */
export function presentColumns({ isLive, sublocations, hasBelonging }: ShownColumns): Column<Shown>[] {
  const columns = [asset, key, ...(sublocations ? [locationColumn] : [])];
  if (isLive) return [...columns, arrived(t`Here since`), lastSeen];
  return [...columns, arrived(t`Arrived`), left, ...(hasBelonging ? [belongsToNow] : [])];
}
