import type { Database } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { decodeState, portOf, readerOf } from '../../locating/index.js';

/** The position of one asset; instants are epoch milliseconds. */
type PositionRow = {
  location_id: number | null;
  /** The reader that saw it last at this location. */
  reader_id: number | null;
  antenna: number | null;
  locating: string | null;
  asset_last_seen: number;
  located_since: number;
};

export async function findPosition(db: Database, orgId: number, assetId: number): Promise<PositionRow | undefined> {
  const rows = await db.$queryRaw<PositionRow[]>`
    SELECT p.location_id, p.reader_id, p.antenna, p.locating,
           ${epochMs('p.asset_last_seen')} AS asset_last_seen, ${epochMs('p.located_since')} AS located_since
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}`;
  return rows[0];
}

/** Returns who saw an asset last: the antenna of its newest read, wherever that is; null if a handheld did. */
export function lastSeenBy(position: PositionRow): { readerId: number; antenna: number | null } | null {
  const { reader_id: readerId, antenna, locating, asset_last_seen: lastSeenMs } = position;
  const newest = decodeState(locating)?.tallies.find(({ lastMs }) => lastMs >= lastSeenMs);
  if (newest) return { readerId: readerOf(newest.antenna), antenna: portOf(newest.antenna) };
  return readerId === null ? null : { readerId, antenna };
}
