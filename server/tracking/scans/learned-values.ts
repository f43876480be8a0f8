import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { antennaKey, type PictureRow, portOf, readerOf, type Site } from '../../locating/index.js';

/** Pictures that are read or stored at once: processing them takes a few milliseconds. */
const picturesMax = 200;

/** An antenna of a picture as it is stored. */
type StoredAntenna = {
  reader: number;
  port: number;
  location: number;
  visits: number;
  sum_db: number;
  gap_ms: number;
};

type StoredPicture = { location_id: number; visits: number; reset_ms: number; antennas: StoredAntenna[] };

/** Restores the pictures of an organization's locations that were stored or reset since an instant. */
export async function loadPictures(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { site, sinceMs }: { site: Site; sinceMs: number },
): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const rows: StoredPicture[] = await db.$queryRaw<StoredPicture[]>`
      SELECT p.location_id, p.visits::float8 AS visits, coalesce(${epochMs('p.reset_at')}, 0) AS reset_ms, p.antennas
        FROM location_pictures p
        JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
       WHERE p.org_id = ${orgId} AND p.location_id > ${after}::int AND p.updated_at >= ${instant(sinceMs)}
       ORDER BY p.location_id
       LIMIT ${picturesMax}::int`;
    for (const row of rows) site.restore(pictureOf(row));
    after = rows.length === picturesMax ? rows.at(-1)?.location_id : undefined;
  }
}

function pictureOf({ location_id: location, visits, reset_ms: resetMs, antennas }: StoredPicture): PictureRow {
  return {
    location,
    visits,
    resetMs,
    antennas: antennas.map(({ reader, port, location: own, visits: read, sum_db: sumDb, gap_ms: gapMs }) => ({
      antenna: antennaKey(reader, port),
      location: own,
      visits: read,
      sumDb,
      gapMs,
    })),
  };
}

/**
 * Stores the pictures of an organization that have changed, except those of deleted locations and those that people have
 * reset meanwhile.
 */
export async function savePictures(db: Pick<Database, '$executeRaw'>, orgId: number, site: Site): Promise<void> {
  const changes = site.takeChanges();
  try {
    for (let first = 0; first < changes.length; first += picturesMax) {
      const rows = JSON.stringify(changes.slice(first, first + picturesMax).map(storedOf));
      await db.$executeRaw`
        INSERT INTO location_pictures AS p (org_id, location_id, visits, antennas, reset_at)
        SELECT l.org_id, l.id, c.visits, c.antennas, nullif(to_timestamp(c.reset_ms / 1000), to_timestamp(0))
          FROM jsonb_to_recordset(${rows}::jsonb) AS c (location_id int, visits real, reset_ms float8, antennas jsonb)
          JOIN locations l ON l.org_id = ${orgId} AND l.id = c.location_id AND l.deleted_at IS NULL
         ORDER BY l.id
        ON CONFLICT (location_id) DO UPDATE
           SET visits = EXCLUDED.visits, antennas = EXCLUDED.antennas, updated_at = EXCLUDED.updated_at
         WHERE p.reset_at IS NOT DISTINCT FROM EXCLUDED.reset_at`;
    }
  } catch (error) {
    site.keepChanges(changes);
    throw error;
  }
}

function storedOf({ location, visits, resetMs, antennas }: PictureRow): StoredPicture {
  const round = (value: number) => Math.round(100 * value) / 100;
  return {
    location_id: location,
    visits: round(visits),
    reset_ms: resetMs,
    antennas: antennas.map(({ antenna, location: own, visits: read, sumDb, gapMs }) => ({
      reader: readerOf(antenna),
      port: portOf(antenna),
      location: own,
      visits: round(read),
      sum_db: round(sumDb),
      gap_ms: Math.round(gapMs),
    })),
  };
}
