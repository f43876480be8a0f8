import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import type { Database } from '../../kernel/database/client.js';
import {
  beginsWithForm,
  formsOf,
  isFragment,
  ownTextIsIndexed,
  tagIsIndexed,
  textSearch,
} from '../../kernel/database/text-search.js';
import { findTablePage } from '../../things/assets/table-queries.js';
import { upFrom } from '../../things/locations/tree.js';
import { type PlacedAsset, readPlacedAssets } from '../../things/assets/placed-asset.js';
import type { Terms } from './terms.js';

export type Queryable = Pick<Database, '$queryRaw'>;

/** Results for each noun. */
export const foundMax = 8;

export type FoundAsset = Pick<
  PlacedAsset,
  | 'id'
  | 'external_key'
  | 'name'
  | 'is_active'
  | 'kind'
  | 'has_problem'
  | 'location'
  | 'containers'
  | 'asset_last_seen'
  | 'placement'
> & {
  /** The image of its first photo, else the image of its kind. */
  photo_id: number | null;
};

/** The best assets, and the number that the table of assets shows for the text; a lower bound if it is not exact. */
export type FoundAssets = { data: FoundAsset[]; total_count: number; total_is_exact: boolean };

/**
 * Finds live assets, effective or not: a person who searches for an expired one wants to find it. First assets that
 * begin with or contain the whole text, then other assets that the table shows for the text. With `nearId`, first the
 * asset with this key, then all assets that the table shows, the nearest to that location first.
 */
export async function findAssets(
  db: Database,
  orgId: number,
  { terms, nearId }: { terms: Terms; nearId: number | undefined },
): Promise<FoundAssets> {
  const isByNearness = nearId !== undefined && !isFragment(terms.q);
  const first = await db.$queryRaw<{ id: number }[]>`
    WITH ${beginnings(Prisma.raw('assets'), orgId, terms)},
         ${containing(Prisma.raw('assets'), orgId, terms)}
    SELECT a.id
      FROM (SELECT id, rank FROM beginning UNION ALL SELECT id, 3 FROM contained) f
      JOIN assets a ON a.org_id = ${orgId} AND a.id = f.id
     WHERE f.rank = 0 OR NOT ${isByNearness}
     ORDER BY f.rank, ${inNaturalOrder('a.name')}, a.external_key
     LIMIT ${foundMax}`;
  // Counting the others would take longer than finding these, since one or two letters begin very many names.
  const page =
    first.length === foundMax
      ? { ids: [], total: foundMax, isExact: false }
      : await findTablePage(db, orgId, {
          filter: { q: terms.q },
          sort: isByNearness ? { field: 'near', nearId, descending: false } : { field: 'name', descending: false },
          paging: { limit: foundMax, offset: 0 },
        });
  const ids = [...new Set([...first.map(({ id }) => id), ...page.ids])].slice(0, foundMax);
  const [assets, photos] = await Promise.all([readPlacedAssets(db, orgId, { ids }), firstPhotos(db, orgId, ids)]);
  const data = assets.map(
    ({ id, external_key, name, is_active, kind, has_problem, location, containers, asset_last_seen, placement }) => ({
      id,
      external_key,
      name,
      is_active,
      kind,
      has_problem,
      location,
      containers,
      asset_last_seen,
      placement,
      photo_id: photos.get(id) ?? kind?.image_id ?? null,
    }),
  );
  return { data, total_count: Math.max(page.total, ids.length), total_is_exact: page.isExact };
}

async function firstPhotos(db: Queryable, orgId: number, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.$queryRaw<{ asset_id: number; image_id: number }[]>`
    SELECT DISTINCT ON (p.asset_id) p.asset_id, p.image_id
      FROM asset_photos p
     WHERE p.org_id = ${orgId} AND p.asset_id = ANY(${[...ids]}::int[])
     ORDER BY p.asset_id, p.added_at, p.image_id`;
  return new Map(rows.map((row) => [row.asset_id, row.image_id]));
}

/**
 * Selects the rows of a resource whose key is the text or whose key or name begins with it, the best `foundMax`. Each
 * form of the text is an index scan that ends after `foundMax` rows.
 */
export function beginnings(table: Prisma.Sql, orgId: number, { keys, names }: Terms): Prisma.Sql {
  const live = Prisma.sql`r.org_id = ${orgId} AND r.deleted_at IS NULL`;
  return Prisma.sql`
    beginning AS MATERIALIZED (
      SELECT b.id, min(b.rank) AS rank
        FROM (
          SELECT r.id, 0 AS rank FROM ${table} r WHERE ${live} AND r.external_key = ANY (${keys}::text[])
          UNION ALL
          SELECT k.id, 1
            FROM ${formsOf(keys)}
           CROSS JOIN LATERAL (
             SELECT r.id FROM ${table} r
              WHERE ${live} AND ${beginsWithForm('r.external_key')}
              ORDER BY r.external_key LIMIT ${foundMax}) k
          UNION ALL
          SELECT n.id, 2
            FROM ${formsOf(names)}
           CROSS JOIN LATERAL (
             SELECT r.id FROM ${table} r
              WHERE ${live} AND ${beginsWithForm('r.name')}
              ORDER BY r.name, r.id LIMIT ${foundMax}) n
        ) b
       GROUP BY b.id
       ORDER BY 2, 1
       LIMIT ${foundMax}
    )`;
}

/** Selects rows that contain the text anywhere, up to the number that `beginning` leaves. */
export function containing(table: Prisma.Sql, orgId: number, { q }: Terms): Prisma.Sql {
  return containedIn(
    q,
    Prisma.sql`
      SELECT r.id FROM ${table} r
       WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND ${ownTextIsIndexed(textSearch(orgId, q), 'r')}`,
  );
}

/**
 * Selects rows `r` that contain the text, up to the number that is left. One or two ASCII letters are only compared
 * with prefixes.
 */
function containedIn(q: string, rows: Prisma.Sql): Prisma.Sql {
  const contained = isFragment(q)
    ? Prisma.sql`SELECT id FROM beginning WHERE false`
    : Prisma.sql`${rows} AND r.id NOT IN (SELECT id FROM beginning) LIMIT ${foundMax}::bigint - (SELECT count(*) FROM beginning)`;
  return Prisma.sql`contained AS MATERIALIZED (${contained})`;
}

/**
 * Returns CTEs that end with `paths (start, path)`: the names of the live locations above each of `starts`, the root first. The
 * statement begins with `WITH RECURSIVE`.
 *
 * @param starts what follows `FROM`, with each start once as the location `l`
 */
export function pathsAbove(orgId: number, starts: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${upFrom(orgId, starts, { columns: ['name'], liveOnly: true })}, paths AS (
    SELECT start_id AS start,
           coalesce(array_agg(name ORDER BY distance DESC) FILTER (WHERE distance > 0), '{}') AS path
      FROM up
     GROUP BY start_id
  )`;
}

/** The asset or location of a tag. */
export type TagParent = { id: number; external_key: string; name: string };

export type FoundTag = {
  id: number;
  tag_type: string;
  value: string;
  asset: TagParent | null;
  location: TagParent | null;
};

/**
 * Finds live tags by value, as stored or in the normal form in which reads are compared, and by the code of GS1 in
 * their EPC.
 */
export async function findTags(
  db: Queryable,
  orgId: number,
  { q, values, normalForms, epcs }: Terms,
): Promise<FoundTag[]> {
  const live = Prisma.sql`t.org_id = ${orgId} AND t.deleted_at IS NULL`;
  const rows = Prisma.sql`
    SELECT r.id FROM tags r
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND ${tagIsIndexed(textSearch(orgId, q), 'r')}`;
  return db.$queryRaw<FoundTag[]>`
    WITH beginning AS MATERIALIZED (
      SELECT b.id, min(b.rank) AS rank
        FROM (
          SELECT t.id, 0 AS rank FROM tags t
           WHERE ${live} AND tag_normal_form(t.tag_type, t.value) = ANY (${normalForms}::text[])
          UNION ALL
          SELECT e.id, 0
            FROM unnest(${epcs.map(({ first }) => first)}::text[], ${epcs.map(({ last }) => last)}::text[]) AS epc (first, last)
           CROSS JOIN LATERAL (
             SELECT t.id FROM tags t
              WHERE ${live} AND t.tag_type = 'rfid'
                AND tag_normal_form(t.tag_type, t.value) BETWEEN epc.first AND epc.last AND length(t.value) >= 24
              LIMIT ${foundMax}) e
          UNION ALL
          SELECT v.id, 1
            FROM ${formsOf(values)}
           CROSS JOIN unnest('{rfid,ble,barcode}'::text[]) AS type (name)
           CROSS JOIN LATERAL (
             SELECT t.id FROM tags t
              WHERE ${live} AND t.tag_type = type.name AND ${beginsWithForm('t.value')}
              ORDER BY t.value LIMIT ${foundMax}) v
        ) b
       GROUP BY b.id
       ORDER BY 2, 1
       LIMIT ${foundMax}
    ), ${containedIn(q, rows)}
    SELECT t.id, t.tag_type, t.value,
           CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'external_key', a.external_key, 'name', a.name) END AS asset,
           CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'external_key', l.external_key, 'name', l.name) END AS location
      FROM (SELECT id, rank FROM beginning UNION ALL SELECT id, 2 FROM contained) f
      JOIN tags t ON t.id = f.id
      LEFT JOIN assets a ON a.org_id = ${orgId} AND a.id = t.asset_id
      LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = t.location_id
     ORDER BY f.rank, t.value, t.id
     LIMIT ${foundMax}`;
}

/** A found reader. The user name is only for administrators; null for others. */
export type FoundReader = { id: number; name: string; mqtt_username: string | null };

/**
 * Finds live readers by the words of their name, for administrators by user name too. Reads all readers of the
 * organization, since there are few.
 */
export async function findReaders(
  db: Queryable,
  orgId: number,
  { terms: { q, words }, isAdmin }: { terms: Terms; isAdmin: boolean },
): Promise<FoundReader[]> {
  const folded = Prisma.sql`fold_case(${q})`;
  const named = Prisma.sql`
    (SELECT bool_and(strpos(fold_case(r.name), fold_case(w.word)) > 0)
       FROM unnest(${words.length === 0 ? [q] : words}::text[]) AS w (word))`;
  const username = isAdmin ? Prisma.sql`r.mqtt_username` : Prisma.sql`NULL::text`;
  return db.$queryRaw<FoundReader[]>`
    SELECT r.id, r.name, ${username} AS mqtt_username
      FROM readers r
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
       AND (${named} OR strpos(fold_case(${username}), ${folded}) > 0)
     ORDER BY NOT starts_with(fold_case(r.name), ${folded}), ${inNaturalOrder('r.name')}, r.id
     LIMIT ${foundMax}`;
}
