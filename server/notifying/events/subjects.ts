import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import type { MatchedAsset } from '../alert-rules/match.js';

/** A row of some organization. */
export type Reference = { orgId: number; id: number };

export type NamedLocation = {
  id: number;
  external_key: string;
  name: string;
  /** Names from the root of the tree down to the location itself. */
  path: string[];
  /** The ids of the same locations. */
  line: number[];
};

export type NamedRow = { id: number; name: string };

/** The names for the ids in events. Missing rows do not exist, or belong to another organization. */
export type Subjects = {
  assets: ReadonlyMap<number, MatchedAsset>;
  locations: ReadonlyMap<number, NamedLocation>;
  readers: ReadonlyMap<number, ReaderRow>;
  users: ReadonlyMap<number, NamedRow>;
};

export type SubjectReferences = Record<keyof Subjects, readonly Reference[]>;

/**
 * Reads the names of the subjects of events, deleted rows too, in one statement for each kind. Reads only the top-level
 * metadata fields in `metadataKeys`, each up to the length that a rule can compare.
 */
export async function readSubjects(
  db: Queries,
  references: SubjectReferences,
  metadataKeys: readonly string[],
): Promise<Subjects> {
  const assets = await readAssets(db, references.assets, metadataKeys);
  const readers = await readReaders(db, references.readers);
  const users = await readUsers(db, references.users);
  const ofReaders = readers.flatMap(({ org_id: orgId, location_id: id }) => (id === null ? [] : [{ orgId, id }]));
  const locations = await readLocations(db, [...references.locations, ...ofReaders]);
  return { assets: byId(assets), locations: byId(locations), readers: byId(readers), users: byId(users) };
}

function byId<Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns SQL for the references as rows `(org_id, id)`. */
function rowsOf(references: readonly Reference[]): Prisma.Sql {
  const [orgIds, ids] = [references.map(({ orgId }) => orgId), references.map(({ id }) => id)];
  return Prisma.sql`(SELECT DISTINCT * FROM unnest(${orgIds}::int[], ${ids}::int[]) AS r (org_id, id))`;
}

/** A longer value cannot equal the text of a rule, and a match beyond this length is not required. */
const comparedMax = 1024;

async function readAssets(
  db: Queries,
  references: readonly Reference[],
  metadataKeys: readonly string[],
): Promise<MatchedAsset[]> {
  if (references.length === 0) return [];
  return db.$queryRaw<MatchedAsset[]>`
    SELECT a.id, a.external_key, a.name, a.kind_id,
           (SELECT json_object_agg(k.key, left(a.metadata ->> k.key, ${comparedMax}::int))
              FROM unnest(${metadataKeys}::text[]) AS k (key)
             WHERE json_typeof(a.metadata -> k.key) IN ('string', 'number', 'boolean')) AS metadata
      FROM ${rowsOf(references)} g
     CROSS JOIN LATERAL (SELECT * FROM assets x WHERE x.org_id = g.org_id AND x.id = g.id LIMIT 1) a`;
}

async function readLocations(db: Queries, references: readonly Reference[]): Promise<NamedLocation[]> {
  if (references.length === 0) return [];
  return db.$queryRaw<NamedLocation[]>`
    WITH RECURSIVE up AS (
      SELECT l.id AS start, l.org_id, l.id, l.name, l.parent_id, 0 AS distance
        FROM ${rowsOf(references)} g
       CROSS JOIN LATERAL (SELECT * FROM locations x WHERE x.org_id = g.org_id AND x.id = g.id LIMIT 1) l
      UNION ALL
      SELECT up.start, p.org_id, p.id, p.name, p.parent_id, up.distance + 1
        FROM up
       CROSS JOIN LATERAL (
         SELECT * FROM locations x WHERE x.org_id = up.org_id AND x.id = up.parent_id AND x.deleted_at IS NULL LIMIT 1
       ) p
    )
    SELECT s.id, s.external_key, s.name, lines.path, lines.line
      FROM (SELECT up.start, up.org_id, array_agg(up.name ORDER BY up.distance DESC) AS path,
                   array_agg(up.id ORDER BY up.distance DESC) AS line
              FROM up GROUP BY up.start, up.org_id) lines
     CROSS JOIN LATERAL (SELECT * FROM locations x WHERE x.org_id = lines.org_id AND x.id = lines.start LIMIT 1) s`;
}

type ReaderRow = NamedRow & { org_id: number; location_id: number | null };

async function readReaders(db: Queries, references: readonly Reference[]): Promise<ReaderRow[]> {
  if (references.length === 0) return [];
  return db.$queryRaw<ReaderRow[]>`
    SELECT r.id, r.org_id, r.name, r.location_id
      FROM ${rowsOf(references)} g
     CROSS JOIN LATERAL (SELECT * FROM readers x WHERE x.org_id = g.org_id AND x.id = g.id LIMIT 1) r`;
}

async function readUsers(db: Queries, references: readonly Reference[]): Promise<NamedRow[]> {
  if (references.length === 0) return [];
  return db.$queryRaw<NamedRow[]>`
    SELECT u.id, u.name
      FROM ${rowsOf(references)} g
      JOIN memberships m ON m.org_id = g.org_id AND m.user_id = g.id
      JOIN users u ON u.id = m.user_id`;
}
