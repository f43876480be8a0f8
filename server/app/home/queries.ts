import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { timestamp } from '../../kernel/database/columns.js';
import { ofLiveAsset } from '../../kernel/database/position-order.js';
import { assetsWithProblems } from '../../things/asset-problems/queries.js';
import { countAway } from '../../kernel/database/away.js';
import { type ReaderStatus, statedReaders } from '../../tracking/readers/status-queries.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** Counting stops here. */
export const countMax = 10_000;

const mostSilentMax = 5;

export const intervalMinutes = 10;
const intervalsADay = 144;

/** A count up to a maximum; `is_more` is true if there are more. */
export type Bounded = { count: number; is_more: boolean };

/** What needs attention. */
export type Notices = {
  /** Live readers by status, as on the page of readers. */
  readers: Partial<Record<ReaderStatus, number>>;
  most_silent: { id: number; name: string; last_message_at: string | null }[];
  /** Values that were read and are not attached to anything. */
  unknown_tags: Bounded;
  newest_unknown: { value: string; tag_type: string | null; last_seen: string } | null;
  /** Messages of the last 24 hours that could not be parsed. */
  rejected_messages: Bounded;
  /** Assets with open problems. */
  problem_assets: Bounded;
  /** Assets that are away from the location that they belong to. */
  away_assets: Bounded;
};

type Counted = 'unknown_tags' | 'rejected_messages' | 'problem_assets';

type NoticesRow = Omit<Notices, Counted | 'away_assets'> & Record<Counted, number>;

/** Reads everything in two statements, each part from an index, and counts up to `countMax`. */
export async function readNotices(db: Queryable, orgId: number): Promise<Notices> {
  const [[found], away] = await Promise.all([findNotices(db, orgId), countAway(db, orgId, countMax + 1)]);
  return {
    ...found,
    unknown_tags: bounded(found.unknown_tags),
    rejected_messages: bounded(found.rejected_messages),
    problem_assets: bounded(found.problem_assets),
    away_assets: bounded(away),
  };
}

async function findNotices(db: Queryable, orgId: number): Promise<[NoticesRow]> {
  return db.$queryRaw<[NoticesRow]>`
    WITH live AS MATERIALIZED (
      ${statedReaders(Prisma.sql`r.org_id = ${orgId} AND r.deleted_at IS NULL`)}
    )
    SELECT (SELECT coalesce(json_object_agg(g.status, g.n), '{}')
              FROM (SELECT status, count(*)::int AS n FROM live GROUP BY status) g) AS readers,
           (SELECT coalesce(json_agg(json_build_object(
                     'id', s.id, 'name', s.name, 'last_message_at', ${timestamp('s.last_message_at')})
                     ORDER BY s.last_message_at NULLS FIRST, s.name, s.id), '[]')
              FROM (SELECT *
                      FROM live
                     WHERE status = 'silent'
                     ORDER BY last_message_at NULLS FIRST, name, id
                     LIMIT ${mostSilentMax}) s
           ) AS most_silent,
           (SELECT count(*)
              FROM (SELECT 1 FROM unknown_tags u WHERE u.org_id = ${orgId}
                     GROUP BY u.tag_type, u.value LIMIT ${countMax + 1}) known)::int AS unknown_tags,
           (SELECT json_build_object('value', u.value, 'tag_type', u.tag_type, 'last_seen', ${timestamp('u.last_seen')})
              FROM unknown_tags u
             WHERE u.org_id = ${orgId}
             ORDER BY u.last_seen DESC, u.id
             LIMIT 1) AS newest_unknown,
           (SELECT count(*)
              FROM (SELECT 1 FROM rejected_messages m
                     WHERE m.org_id = ${orgId} AND m.received_at >= statement_timestamp() - interval '24 hours'
                     LIMIT ${countMax + 1}) latest)::int AS rejected_messages,
           (SELECT count(*)
              FROM (SELECT 1 FROM (${assetsWithProblems(orgId)}) q
                     WHERE EXISTS (SELECT FROM assets a WHERE a.org_id = ${orgId} AND a.id = q.id AND a.deleted_at IS NULL)
                     LIMIT ${countMax + 1}) reported)::int AS problem_assets`;
}

function bounded(found: number): Bounded {
  return { count: Math.min(found, countMax), is_more: found > countMax };
}

/** Returns the intervals of the last 24 hours, the present interval last; `at` is the beginning of each. */
export async function readsByInterval(db: Queryable, orgId: number): Promise<{ at: string; reads: number }[]> {
  const current = Prisma.sql`date_bin(make_interval(mins => ${intervalMinutes}::int), statement_timestamp(), 'epoch'::timestamptz)`;
  return db.$queryRaw<{ at: string; reads: number }[]>`
    SELECT ${timestamp('s.starts_at')} AS at, coalesce(c.reads, 0)::float8 AS reads
      FROM (SELECT ${current} - n * make_interval(mins => ${intervalMinutes}::int) AS starts_at
              FROM generate_series(0, ${intervalsADay - 1}::int) AS n) s
      LEFT JOIN read_counts c ON c.org_id = ${orgId} AND c.slot = s.starts_at
     ORDER BY s.starts_at`;
}

/** Returns the ids of the live assets whose location changed most recently, latest first. */
export async function latestMoves(db: Queryable, orgId: number, limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ asset_id: number }[]>`
    SELECT p.asset_id
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND ${ofLiveAsset('p')}
     ORDER BY p.located_since DESC
     LIMIT ${limit}::int`;
  return rows.map((row) => row.asset_id);
}
