import { Prisma } from '../../../generated/prisma/client.js';
import { numbers } from '../../kernel/database/array-literals.js';
import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import { type AntennaKey, type AntennaSettings, type LocationId, portOf, readerOf } from '../../locating/index.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** Rows of one answer: reading and processing them takes a few milliseconds. */
const rowsMax = 2000;
/** Readers whose antennas are read at once, so that the database sorts few rows for each answer. */
const readersMax = 200;

/** The settings of a reader and its antennas, as of the last time they were read. */
type KnownReader = {
  orgId: number;
  /** Changes whenever the reader's settings, or locations of its antennas, may have changed. */
  version: string;
  /** For ports without settings of their own. */
  defaults: AntennaSettings;
  antennas: ReadonlyMap<number, AntennaSettings>;
};

/** Ids of readers: added ones by organization, deleted ones of all organizations. */
type Changes = { added: Map<number, number[]>; deleted: number[] };

/**
 * Creates the settings of all antennas of the organizations in use, in memory. Everything is read in pieces, so that no
 * organization takes the event loop for long.
 */
export function createAntennaSettings(db: Queryable) {
  const readers = new Map<number, KnownReader>();
  const idsOf = new Map<number, Set<number>>();

  /** Reads readers of an organization, all or those with the given ids and versions, and returns their ids. */
  async function load(orgId: number, versions?: ReadonlyMap<number, string>): Promise<number[]> {
    const loaded: number[] = [];
    const ids = idsOf.get(orgId) ?? new Set();
    idsOf.set(orgId, ids);
    for await (const rows of storedReaders(db, orgId, versions && [...versions.keys()])) {
      const antennas = await storedAntennas(db, orgId, rows);
      if (idsOf.get(orgId) !== ids) return loaded;
      for (const { id, version, location_id: location, location_rule: rule } of rows) {
        const defaults: AntennaSettings = { location, kind: 'zone', rule: ruleOf(rule) };
        const own = { antennas: antennas.get(id) ?? new Map<number, AntennaSettings>() };
        readers.set(id, { orgId, version: versions?.get(id) ?? version, defaults, ...own });
        ids.add(id);
        loaded.push(id);
      }
    }
    return loaded;
  }

  /** Reads what has changed of organizations since an instant of the database's clock, in epoch milliseconds. */
  async function refresh(orgIds: readonly number[], sinceMs: number): Promise<Changes> {
    const changes: Changes = { added: new Map(), deleted: [] };
    const stale = new Map<number, Map<number, string>>();
    for await (const rows of changedReaders(db, orgIds, sinceMs)) {
      for (const { org_id: orgId, id, is_deleted: isDeleted, version } of rows) {
        const known = readers.get(id);
        if (isDeleted && known) changes.deleted.push(id);
        // A change is reported more than once.
        if (isDeleted || known?.version === version || !idsOf.has(orgId)) continue;
        stale.set(orgId, (stale.get(orgId) ?? new Map<number, string>()).set(id, version));
      }
    }
    for (const id of changes.deleted) forgetReader(id);
    for (const [orgId, versions] of stale) {
      const added = [...versions.keys()].filter((id) => !readers.has(id));
      await load(orgId, versions);
      if (added.length > 0) changes.added.set(orgId, added);
    }
    return changes;
  }

  function forgetReader(id: number): void {
    idsOf.get(readers.get(id)?.orgId ?? 0)?.delete(id);
    readers.delete(id);
  }

  /** Removes an organization from memory, and returns the ids of its readers. */
  function forget(orgId: number): number[] {
    const ids = [...(idsOf.get(orgId) ?? [])];
    for (const id of ids) readers.delete(id);
    idsOf.delete(orgId);
    return ids;
  }

  function get(key: AntennaKey): AntennaSettings | undefined {
    const reader = readers.get(readerOf(key));
    return reader?.antennas.get(portOf(key)) ?? reader?.defaults;
  }

  /** Gives antennas at a deleted location the location of their reader, or none. */
  function forgetLocation(orgId: number, locationId: LocationId): void {
    for (const id of idsOf.get(orgId) ?? []) {
      const reader = readers.get(id);
      if (reader) readers.set(id, withoutLocation(reader, locationId));
    }
  }

  return { load, refresh, forget, get, forgetLocation, knows: (id: number): boolean => readers.has(id) };
}

function withoutLocation(reader: KnownReader, deleted: LocationId): KnownReader {
  const isAtDeleted = ({ location }: AntennaSettings) => location === deleted;
  const defaults = isAtDeleted(reader.defaults) ? { ...reader.defaults, location: 0 } : reader.defaults;
  if (![...reader.antennas.values()].some(isAtDeleted)) return { ...reader, defaults };
  const moved = (settings: AntennaSettings) =>
    isAtDeleted(settings) ? { ...settings, location: defaults.location } : settings;
  return {
    ...reader,
    defaults,
    antennas: new Map([...reader.antennas].map(([port, settings]) => [port, moved(settings)])),
  };
}

const ruleOf = (rule: string) => (rule === 'newest' ? 'newest' : 'evidence');

type ReaderRow = { id: number; version: string; location_rule: string; location_id: number };

/** Returns live readers of an organization in pieces: all, or the readers with the given ids. */
function storedReaders(db: Queryable, orgId: number, ids?: readonly number[]): AsyncGenerator<ReaderRow[]> {
  const those = ids ? Prisma.sql`AND r.id = ANY (${numbers(ids)}::int[])` : Prisma.empty;
  const read = (last: ReaderRow | undefined) => db.$queryRaw<ReaderRow[]>`
    SELECT r.id, concat_ws(' ', r.updated_at) AS version, r.location_rule, coalesce(l.id, 0) AS location_id
      FROM readers r
      LEFT JOIN locations l ON l.org_id = r.org_id AND l.id = r.location_id AND l.deleted_at IS NULL
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND r.id > ${last?.id ?? 0}::int ${those}
     ORDER BY r.id
     LIMIT ${readersMax}::int`;
  return pieces(read, readersMax);
}

type ChangedRow = { org_id: number; id: number; is_deleted: boolean; version: string };

/** Returns, in pieces, the readers whose settings have changed, or whose antennas have a location that was deleted. */
function changedReaders(db: Queryable, orgIds: readonly number[], sinceMs: number): AsyncGenerator<ChangedRow[]> {
  const read = (last: ChangedRow | undefined) => db.$queryRaw<ChangedRow[]>`
    WITH gone AS MATERIALIZED (
      SELECT org_id, id, deleted_at FROM locations
       WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND deleted_at >= ${instant(sinceMs)}
    ), named AS (
      SELECT r.id, g.deleted_at FROM gone g JOIN readers r ON r.org_id = g.org_id AND r.location_id = g.id
       UNION ALL
      SELECT a.reader_id, g.deleted_at FROM gone g JOIN reader_antennas a ON a.org_id = g.org_id AND a.location_id = g.id
    ), concerned AS (
      SELECT id, count(*) AS times, max(deleted_at) AS newest FROM named GROUP BY id
    ), changed AS (
      SELECT id FROM readers WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND updated_at >= ${instant(sinceMs)}
       UNION
      SELECT id FROM concerned
    )
    SELECT r.org_id, r.id, r.deleted_at IS NOT NULL AS is_deleted, concat_ws(' ', r.updated_at, c.times, c.newest) AS version
      FROM changed
      JOIN readers r ON r.id = changed.id
      LEFT JOIN concerned c ON c.id = r.id
     WHERE r.id > ${last?.id ?? 0}::int
     ORDER BY r.id
     LIMIT ${rowsMax}::int`;
  return pieces(read, rowsMax);
}

type AntennaRow = { reader_id: number; port: number; kind: string; location_rule: string; location_id: number };

/** Returns the settings of the antennas of readers, by reader and port. */
async function storedAntennas(
  db: Queryable,
  orgId: number,
  of: readonly { id: number }[],
): Promise<Map<number, Map<number, AntennaSettings>>> {
  const read = (last: AntennaRow | undefined) => db.$queryRaw<AntennaRow[]>`
    SELECT a.reader_id, a.port, a.kind, r.location_rule, coalesce(al.id, rl.id, 0) AS location_id
      FROM readers r
      JOIN reader_antennas a ON a.reader_id = r.id
      LEFT JOIN locations al ON al.org_id = r.org_id AND al.id = a.location_id AND al.deleted_at IS NULL
      LEFT JOIN locations rl ON rl.org_id = r.org_id AND rl.id = r.location_id AND rl.deleted_at IS NULL
     WHERE r.org_id = ${orgId}
       AND r.id = ANY (${numbers(of.map(({ id }) => id).filter((id) => id >= (last?.reader_id ?? 0)))}::int[])
       AND (a.reader_id, a.port) > (${last?.reader_id ?? 0}::int, ${last?.port ?? 0}::int)
     ORDER BY a.reader_id, a.port
     LIMIT ${rowsMax}::int`;
  const antennas = new Map<number, Map<number, AntennaSettings>>();
  for await (const rows of pieces(read, rowsMax)) {
    for (const { reader_id: id, port, kind, location_rule: rule, location_id: location } of rows) {
      const settings: AntennaSettings = { location, kind: kind === 'portal' ? 'portal' : 'zone', rule: ruleOf(rule) };
      antennas.set(id, (antennas.get(id) ?? new Map<number, AntennaSettings>()).set(port, settings));
    }
  }
  return antennas;
}

/** Reads rows in the order of a key until there are none left; `read` gets the last row of the previous piece. */
async function* pieces<Row>(read: (last: Row | undefined) => Promise<Row[]>, pieceRows: number): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length === pieceRows ? rows.at(-1) : undefined;
  } while (last !== undefined);
}
