import type { LiveContainment, LivePosition } from './hub.js';

/** A location in a live position: without its path. */
type NamedLocation = { id: number; external_key: string; name: string };

/** The names from the top of the tree down to a location, the location itself last. */
export type Path = readonly NamedLocation[];

/** A row that shows where an asset is. */
type PlacedRow = {
  id: number;
  location: NamedLocation | null;
  asset_last_seen: string | null;
  located_since: string | null;
  placement: LivePosition['placement'];
};

/** A list of such rows, as the service answers it. */
type PlacedRows = { data: readonly PlacedRow[] };

export type Changes = ReadonlyMap<number, LivePosition>;

function isPlacedRows(data: unknown): data is PlacedRows {
  if (typeof data !== 'object' || data === null || !('data' in data) || !Array.isArray(data.data)) return false;
  const [first] = data.data as unknown[];
  return typeof first === 'object' && first !== null && 'located_since' in first && 'location' in first;
}

/**
 * Returns the list with changed rows for the assets that moved. No row is added, removed or reordered, so nothing jumps
 * under a finger. Returns the same object if no row is concerned.
 */
export function patchRows(data: unknown, changes: Changes, pathOf: (locationId: number) => Path | undefined): unknown {
  if (!isPlacedRows(data) || !data.data.some((row) => isNews(row, changes.get(row.id)))) return data;
  return {
    ...data,
    data: data.data.map((row) => {
      const change = changes.get(row.id);
      return change && isNews(row, change) ? patchRow(row, change, pathOf) : row;
    }),
  };
}

/**
 * Returns whether a position is newer than the row's. Positions only advance, so an older position was received before.
 */
function isNews(row: Pick<PlacedRow, 'asset_last_seen'>, change: LivePosition | undefined): boolean {
  return change !== undefined && (row.asset_last_seen === null || change.asset_last_seen > row.asset_last_seen);
}

function patchRow(row: PlacedRow, change: LivePosition, pathOf: (locationId: number) => Path | undefined): PlacedRow {
  const { asset_last_seen, located_since, placement } = change;
  const location = row.location?.id === change.location_id ? row.location : locationOf(change, pathOf);
  return { ...row, location, asset_last_seen, located_since, placement };
}

function locationOf(change: LivePosition, pathOf: (locationId: number) => Path | undefined) {
  const { location_id: id, location_external_key: externalKey, location_name: name } = change;
  if (id === null || externalKey === null || name === null) return null;
  const location = { id, external_key: externalKey, name };
  return { ...location, is_deleted: false, path: pathOf(id) ?? [location] };
}

/** Returns the rows of the list whose location changes, with the new location. */
export function newLocations(data: unknown, changes: Changes): { assetId: number; locationId: number }[] {
  if (!isPlacedRows(data)) return [];
  return data.data.flatMap(({ id: assetId, location, ...row }) => {
    const change = changes.get(assetId);
    if (!change || !isNews(row, change)) return [];
    const { location_id: locationId } = change;
    return locationId === null || locationId === location?.id ? [] : [{ assetId, locationId }];
  });
}

type ContainedRow = { id: number; containers: LiveContainment['containers'] };

export type ChangedContainers = ReadonlyMap<number, LiveContainment['containers']>;

/** Returns the list with what its rows are in after assets were put into containers or left them; the same object if nothing changes. */
export function patchContainers(data: unknown, changes: ChangedContainers): unknown {
  if (!isPlacedRows(data)) return data;
  const rows = data.data as readonly (ContainedRow & PlacedRow)[];
  const patched = rows.map((row) => {
    const containers = containersAfter(row, changes);
    return containers === row.containers ? row : { ...row, containers };
  });
  return patched.some((row, index) => row !== rows[index]) ? { ...data, data: patched } : data;
}

/** A row is also in what the containers that it is in are now in. */
function containersAfter({ id, containers }: ContainedRow, changes: ChangedContainers): ContainedRow['containers'] {
  const own = changes.get(id);
  if (own) return own;
  const index = containers.findIndex((container) => changes.has(container.id));
  const above = changes.get(containers[index]?.id ?? 0);
  return above ? [...containers.slice(0, index + 1), ...above] : containers;
}
