import { lockClasses } from '../database/locks.js';
import { defineStatement, type StatementRunner } from '../database/statement.js';
import type { ReadBatch } from './batch.js';

const holdStatement = (name: string, lock: string) =>
  defineStatement<readonly number[]>(
    name,
    ({ rows }) => `
    SELECT o.org_id, ${lock} AS is_held
      FROM ${rows('o', (orgIds) => orgIds, { org_id: ['int', (orgId) => orgId] })}`,
  );

const waitForTrees = holdStatement(
  'wait_for_trees',
  `pg_advisory_xact_lock_shared(${lockClasses.tree}, o.org_id)::text = ''`,
);
const tryTrees = holdStatement('try_trees', `pg_try_advisory_xact_lock_shared(${lockClasses.tree}, o.org_id)`);

/**
 * Holds the trees of organizations as they are, in the order of the ids, until the end of the transaction: no location is
 * deleted meanwhile. Without `wait` an organization whose tree is being changed is not waited for.
 *
 * @returns the organizations that were not waited for
 */
export async function holdTrees(
  runner: StatementRunner,
  orgIds: readonly number[],
  { wait }: { wait: boolean },
): Promise<number[]> {
  const rows = await runner.run<{ org_id: number; is_held: boolean }, readonly number[]>(
    wait ? waitForTrees : tryTrees,
    orgIds.toSorted((one, other) => one - other),
  );
  return rows.flatMap(({ org_id, is_held }) => (is_held ? [] : [org_id]));
}

export type ResolvedRow = {
  /** One line for each reader of the batch; empty where it is gone. */
  readers: string;
  /** One line for each antenna of the batch. */
  antennas: string;
  /** A line for each tag value of the batch that belongs to something, with its number from 1. */
  tags: string;
  /** One line for each asset that was read, in the order of the ids. */
  positions: string;
};

const positionColumns = `
  r.ctid AS row_id, r.location_id, r.reader_id, r.antenna, r.asset_last_seen, r.located_since, r.last_event_at,
  r.last_event_location_id, r.locating`;

/** Positions as lines of text; empty but for the ids where an asset has none. */
const positionLines = `
  coalesce((
    SELECT string_agg(
             concat(p.org_id, ' ', p.asset_id, ' ', p.row_id, ' ', p.location_id, ' ', p.reader_id, ' ', p.antenna, ' ',
                    (date_part('epoch', p.asset_last_seen) * 1000)::int8, ' ',
                    (date_part('epoch', p.located_since) * 1000)::int8, ' ',
                    (date_part('epoch', p.last_event_at) * 1000)::int8, ' ',
                    p.last_event_location_id, ' ', p.locating), E'\\n')
      FROM position p), '') AS positions`;

type AssetsOfOrganization = { orgId: number; assetIds: readonly number[] };

const lockStatement = defineStatement<AssetsOfOrganization>(
  'lock_positions',
  ({ value, rows }) => `
    WITH position AS MATERIALIZED (
      SELECT o.org_id, u.asset_id, p.*
        FROM (SELECT ${value('int', ({ orgId }) => orgId)} AS org_id) o
       CROSS JOIN ${rows('u', ({ assetIds }) => assetIds, { asset_id: ['int', (assetId) => assetId] })}
        LEFT JOIN LATERAL (
          SELECT ${positionColumns}
            FROM asset_positions r
           WHERE r.org_id = o.org_id AND r.asset_id = u.asset_id
             FOR NO KEY UPDATE
        ) p ON true
    )
    SELECT ${positionLines}`,
);

/** Locks the positions of some assets of an organization, in the order of the ids; the ids are to be in that order. */
export async function lockPositions(
  runner: StatementRunner,
  orgId: number,
  assetIds: readonly number[],
): Promise<string> {
  const [row] = await runner.run<{ positions: string }, AssetsOfOrganization>(lockStatement, { orgId, assetIds });
  return row?.positions ?? '';
}

/**
 * An antenna without a live location uses the reader's, if that is live. A value matches as it is stored, otherwise by normal
 * form; a live tag has a live parent. The sums keep the planner from other indexes: ordered by a mere id it would walk all
 * tags by it, and by a mere organization all rows of that.
 */
const resolveStatement = defineStatement<ReadBatch>(
  'resolve_batch',
  ({ numberedRows }) => `
    WITH reader AS MATERIALIZED (
      SELECT h.no, r.*
        FROM ${numberedRows('h', ({ heard }) => heard, {
          org_id: ['int', ({ orgId }) => orgId],
          reader_id: ['int', ({ readerId }) => readerId],
        })}
        LEFT JOIN LATERAL (
          SELECT c.id, c.org_id, c.location_id, c.resolution_seconds, c.use_receipt_time, c.location_rule, c.clock_offset_ms,
                 c.count_private_addresses
            FROM readers c
           WHERE c.id = h.reader_id AND c.org_id + 0 = h.org_id AND c.deleted_at IS NULL
           LIMIT 1
        ) r ON true
    ), exact AS MATERIALIZED (
      SELECT g.no, g.org_id, g.type, g.value, e.*
        FROM ${numberedRows('g', ({ tags }) => tags, {
          org_id: ['int', ({ orgId }) => orgId],
          type: ['text', ({ type }) => type],
          value: ['text', ({ value }) => value],
        })}
        LEFT JOIN LATERAL (
          SELECT t.id, t.asset_id, t.location_id
            FROM tags t
           WHERE t.org_id = g.org_id AND t.tag_type = g.type AND t.value = g.value AND t.deleted_at IS NULL
           LIMIT 1
        ) e ON true
    ), tag AS MATERIALIZED (
      SELECT x.no, x.org_id, x.id, x.asset_id, x.location_id
        FROM exact x
       WHERE x.id IS NOT NULL
       UNION ALL
      SELECT x.no, x.org_id, n.id, n.asset_id, n.location_id
        FROM (SELECT * FROM exact m WHERE m.id IS NULL) x
       CROSS JOIN LATERAL (
         SELECT t.id, t.asset_id, t.location_id
           FROM tags t
          WHERE t.org_id + 0 = x.org_id AND t.tag_type = x.type
            AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(x.type, x.value) AND t.deleted_at IS NULL
          ORDER BY t.id + 0
          LIMIT 1
       ) n
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
                           ELSE concat(r.resolution_seconds, ' ', r.use_receipt_time::int, ' ', r.location_rule, ' ', r.clock_offset_ms, ' ',
                                       r.count_private_addresses::int)
                      END, E'\\n' ORDER BY r.no)
               FROM reader r), '') AS readers,
           coalesce((
             SELECT string_agg(
                      concat(coalesce(al.id, rl.id, 0), ' ', a.min_rssi_dbm, ' ', a.kind), E'\\n' ORDER BY g.no)
               FROM ${numberedRows('g', ({ antennas }) => antennas, {
                 reader_no: ['int', ({ readerNumber }) => readerNumber],
                 port: ['int', ({ port }) => port],
               })}
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
                      CASE WHEN t.asset_id IS NOT NULL THEN concat(t.no, ' ', t.asset_id, ' ', t.id)
                           ELSE concat(t.no, ' location ', t.location_id) END, E'\\n')
               FROM tag t), '') AS tags,
           ${positionLines}`,
);

/**
 * Finds the readers, antennas and tags of a batch, and locks the positions of the assets that the tags are of, in the order
 * of the assets' ids. Answers lines of text, which cost a tenth of rows.
 */
export async function resolveBatch(runner: StatementRunner, batch: ReadBatch): Promise<ResolvedRow> {
  const [row] = await runner.run<ResolvedRow, ReadBatch>(resolveStatement, batch);
  return row ?? { readers: '', antennas: '', tags: '', positions: '' };
}
