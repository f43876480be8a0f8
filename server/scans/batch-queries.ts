import { Prisma } from '../../generated/prisma/client.js';
import { numbers, texts } from '../database/array-literals.js';
import type { TransactionClient } from '../database/client.js';
import { lockClasses } from '../database/locks.js';
import type { ReadBatch } from './batch.js';

/** What a statement of ingestion runs on: an open transaction. */
export type Queryable = Pick<TransactionClient, '$queryRaw'>;

/**
 * Statements of ingestion find every row by key. A plan made while a table is still empty would read all of it later on,
 * and a connection keeps its plans.
 */
const planByKey = Prisma.sql`
  SELECT set_config('enable_seqscan', 'off', true),
         set_config('enable_hashjoin', 'off', true),
         set_config('enable_mergejoin', 'off', true)`;

/**
 * Holds the trees of organizations as they are, in the order of the ids, until the end of the transaction: no location is
 * deleted meanwhile. Without `wait` an organization whose tree is being changed is not waited for.
 *
 * @returns the organizations that were not waited for
 */
export async function holdTrees(
  tx: Queryable,
  orgIds: readonly number[],
  { wait }: { wait: boolean },
): Promise<number[]> {
  const lock = Prisma.raw(
    wait
      ? `pg_advisory_xact_lock_shared(${lockClasses.tree}, o.org_id)::text = ''`
      : `pg_try_advisory_xact_lock_shared(${lockClasses.tree}, o.org_id)`,
  );
  const rows = await tx.$queryRaw<{ org_id: number; is_held: boolean }[]>`
    SELECT o.org_id, ${lock} AS is_held
      FROM (${planByKey}) settings
     CROSS JOIN unnest(${numbers(orgIds.toSorted((one, other) => one - other))}::int[]) AS o (org_id)`;
  return rows.flatMap(({ org_id, is_held }) => (is_held ? [] : [org_id]));
}

export type ResolvedRow = {
  /** One line for each reader of the batch; empty where it is gone. */
  readers: string;
  /** One line for each antenna of the batch. */
  antennas: string;
  /** One entry for each tag value of the batch. */
  tags: string;
  /** One line for each asset that was read, in the order of the ids. */
  positions: string;
};

const positionColumns = Prisma.raw(`
  r.ctid AS row_id, r.location_id, r.reader_id, r.antenna, r.asset_last_seen, r.located_since, r.last_event_at,
  r.last_event_location_id, r.locating`);

/** Positions as lines of text; empty but for the ids where an asset has none. */
const positionLines = Prisma.raw(`
  coalesce((
    SELECT string_agg(
             concat(p.org_id, ' ', p.asset_id, ' ', p.row_id, ' ', p.location_id, ' ', p.reader_id, ' ', p.antenna, ' ',
                    (date_part('epoch', p.asset_last_seen) * 1000)::int8, ' ',
                    (date_part('epoch', p.located_since) * 1000)::int8, ' ',
                    (date_part('epoch', p.last_event_at) * 1000)::int8, ' ',
                    p.last_event_location_id, ' ', p.locating), E'\\n' ORDER BY p.asset_id)
      FROM position p), '') AS positions`);

/** Locks the positions of some assets of an organization, in the order of the ids; the ids are to be in that order. */
export async function lockPositions(tx: Queryable, orgId: number, assetIds: readonly number[]): Promise<string> {
  const [row] = await tx.$queryRaw<[{ positions: string }]>`
    WITH position AS MATERIALIZED (
      SELECT ${orgId}::int AS org_id, u.asset_id, p.*
        FROM unnest(${numbers(assetIds)}::int[]) AS u (asset_id)
        LEFT JOIN LATERAL (
          SELECT ${positionColumns}
            FROM asset_positions r
           WHERE r.org_id = ${orgId} AND r.asset_id = u.asset_id
             FOR NO KEY UPDATE
        ) p ON true
    )
    SELECT ${positionLines}`;
  return row.positions;
}

/**
 * Finds the readers, antennas and tags of a batch, and locks the positions of the assets that the tags are of, in the order
 * of the assets' ids. Answers lines of text, which cost a tenth of rows.
 *
 * An antenna without a live location uses the reader's, if that is live. A value matches as it is stored, otherwise by normal
 * form; a live tag has a live parent. The sums keep the planner from other indexes: ordered by a mere id it would walk all
 * tags by it, and by a mere organization all rows of that.
 */
export async function resolveBatch(tx: Queryable, { heard, antennas, tags }: ReadBatch): Promise<ResolvedRow> {
  const [row] = await tx.$queryRaw<[ResolvedRow]>`
    WITH reader AS MATERIALIZED (
      SELECT h.no, r.*
        FROM unnest(${numbers(heard.orgIds)}::int[], ${numbers(heard.readerIds)}::int[])
             WITH ORDINALITY AS h (org_id, reader_id, no)
        LEFT JOIN LATERAL (
          SELECT c.id, c.org_id, c.location_id, c.resolution_seconds, c.use_receipt_time, c.location_rule, c.clock_offset_ms
            FROM readers c
           WHERE c.id = h.reader_id AND c.org_id + 0 = h.org_id AND c.deleted_at IS NULL
           LIMIT 1
        ) r ON true
    ), tag AS MATERIALIZED (
      SELECT g.no, g.org_id, coalesce(e.id, n.id) AS id, coalesce(e.asset_id, n.asset_id) AS asset_id,
             coalesce(e.location_id, n.location_id) AS location_id
        FROM unnest(${numbers(tags.orgIds)}::int[], ${texts(tags.types)}::text[], ${texts(tags.values)}::text[])
             WITH ORDINALITY AS g (org_id, type, value, no)
        LEFT JOIN LATERAL (
          SELECT t.id, t.asset_id, t.location_id
            FROM tags t
           WHERE t.org_id = g.org_id AND t.tag_type = g.type AND t.value = g.value AND t.deleted_at IS NULL
           LIMIT 1
        ) e ON true
        LEFT JOIN LATERAL (
          SELECT t.id, t.asset_id, t.location_id
            FROM tags t
           WHERE e.id IS NULL
             AND t.org_id + 0 = g.org_id AND t.tag_type = g.type
             AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(g.type, g.value) AND t.deleted_at IS NULL
           ORDER BY t.id + 0
           LIMIT 1
        ) n ON true
    ), position AS MATERIALIZED (
      SELECT u.org_id, u.asset_id, p.*
        FROM (SELECT DISTINCT t.asset_id, t.org_id FROM tag t WHERE t.asset_id IS NOT NULL ORDER BY t.asset_id OFFSET 0) u
        LEFT JOIN LATERAL (
          SELECT ${positionColumns}
            FROM asset_positions r
           WHERE r.org_id = u.org_id AND r.asset_id = u.asset_id
             FOR NO KEY UPDATE
        ) p ON true
    )
    SELECT coalesce((
             SELECT string_agg(
                      CASE WHEN r.id IS NULL THEN ''
                           ELSE concat(r.resolution_seconds, ' ', r.use_receipt_time::int, ' ', r.location_rule, ' ', r.clock_offset_ms)
                      END, E'\n' ORDER BY r.no)
               FROM reader r), '') AS readers,
           coalesce((
             SELECT string_agg(
                      concat(coalesce(al.id, rl.id, 0), ' ', a.min_rssi_dbm, ' ', a.kind), E'\n' ORDER BY g.no)
               FROM unnest(${numbers(antennas.readerNumbers)}::int[], ${numbers(antennas.ports)}::int[])
                    WITH ORDINALITY AS g (reader_no, port, no)
               JOIN reader r ON r.no = g.reader_no
               LEFT JOIN LATERAL (
                 SELECT c.location_id, c.min_rssi_dbm, c.kind
                   FROM reader_antennas c
                  WHERE c.reader_id = r.id AND c.port = g.port
                  LIMIT 1
               ) a ON true
               LEFT JOIN LATERAL (
                 SELECT l.id FROM locations l
                  WHERE l.id = a.location_id AND l.org_id + 0 = r.org_id AND l.deleted_at IS NULL
                  LIMIT 1
               ) al ON true
               LEFT JOIN LATERAL (
                 SELECT l.id FROM locations l
                  WHERE l.id = r.location_id AND l.org_id + 0 = r.org_id AND l.deleted_at IS NULL
                  LIMIT 1
               ) rl ON true), '') AS antennas,
           coalesce((
             SELECT string_agg(
                      CASE WHEN t.asset_id IS NOT NULL THEN concat(t.asset_id, ' ', t.id)
                           WHEN t.location_id IS NOT NULL THEN concat('location ', t.location_id)
                           ELSE '' END, E'\n' ORDER BY t.no)
               FROM tag t), '') AS tags,
           ${positionLines}`;
  return row;
}
