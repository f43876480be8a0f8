import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, timestamp } from '../../kernel/database/columns.js';
import { isPastTrash } from '../../kernel/database/trash-days.js';

/** An open problem. */
export type Problem = {
  id: number;
  text: string;
  reported_at: string;
  /** Null if the account no longer exists. */
  reported_by: { id: number; name: string } | null;
};

/** Returns the open problems of an asset, newest first. */
export async function findOpenProblems(db: Queries, orgId: number, assetId: number): Promise<Problem[]> {
  return db.$queryRaw`
    SELECT q.id, q.text, ${timestamp('q.reported_at')} AS reported_at,
           (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = q.reported_by) AS reported_by
      FROM asset_problems q
     WHERE q.org_id = ${orgId} AND q.asset_id = ${assetId} AND q.resolved_at IS NULL
     ORDER BY q.reported_at DESC, q.id DESC`;
}

/** Returns the condition that the asset of an alias has an open problem. */
export function hasOpenProblem(orgId: number, alias: string): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM asset_problems q
     WHERE q.org_id = ${orgId} AND q.asset_id = ${Prisma.raw(alias)}.id AND q.resolved_at IS NULL OFFSET 0)`;
}

/** Selects the assets with open problems, each once. */
export function assetsWithProblems(orgId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT DISTINCT q.asset_id AS id FROM asset_problems q WHERE q.org_id = ${orgId} AND q.resolved_at IS NULL`;
}

export type NewProblem = {
  assetId: number;
  text: string;
  userId: number;
  /** How long ago it was reported, on a device without a network. */
  ageMs: number;
};

/** Stores a problem, and writes the event of it if the organization has a rule or an endpoint for such events. */
export async function insertProblem(
  tx: TransactionClient,
  orgId: number,
  { assetId, text, userId, ageMs }: NewProblem,
): Promise<number> {
  const [row] = await tx.$queryRaw<[{ id: number; job: number | null }]>`
    WITH reported AS (
      INSERT INTO asset_problems (org_id, asset_id, text, reported_at, reported_by)
      VALUES (${orgId}::int, ${assetId}::int, ${text},
              ${currentInstant} - make_interval(secs => ${ageMs}::float8 / 1000), ${userId}::int)
      RETURNING id, org_id, asset_id, text, reported_at, reported_by
    ), event AS (
      INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
      SELECT q.org_id, 'asset.problem_reported', q.reported_at, q.asset_id, p.location_id,
             json_build_object('problem_id', q.id, 'text', q.text, 'user_id', q.reported_by)
        FROM reported q
        JOIN event_interests i ON i.org_id = q.org_id AND 'asset.problem_reported' = ANY (i.types)
        LEFT JOIN asset_positions p ON p.org_id = q.org_id AND p.asset_id = q.asset_id
      RETURNING 1
    )
    SELECT q.id, (SELECT (graphile_worker.add_job('route_events')).id::float8 WHERE EXISTS (SELECT FROM event)) AS job
      FROM reported q`;
  return row.id;
}

type ProblemKey = { assetId: number; problemId: number };

/** Returns a problem of an asset that is still kept, resolved or not. */
export async function findProblem(
  tx: TransactionClient,
  orgId: number,
  { assetId, problemId }: ProblemKey,
): Promise<{ text: string; reported_by: number | null; is_resolved: boolean } | undefined> {
  const rows = await tx.$queryRaw<{ text: string; reported_by: number | null; is_resolved: boolean }[]>`
    SELECT q.text, q.reported_by, q.resolved_at IS NOT NULL AS is_resolved
      FROM asset_problems q
     WHERE q.org_id = ${orgId} AND q.asset_id = ${assetId} AND q.id = ${problemId}`;
  return rows[0];
}

export async function markProblem(
  tx: TransactionClient,
  orgId: number,
  { problemId, isResolved }: { problemId: number; isResolved: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE asset_problems SET resolved_at = ${isResolved ? currentInstant : Prisma.sql`NULL`}
     WHERE org_id = ${orgId} AND id = ${problemId}`;
}

/** Deletes the resolved problems of an asset, except the problems that were resolved last. */
export async function removeResolved(
  tx: TransactionClient,
  orgId: number,
  { assetId, keep }: { assetId: number; keep: number },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM asset_problems
     WHERE org_id = ${orgId}
       AND id IN (SELECT q.id
                    FROM asset_problems q
                   WHERE q.org_id = ${orgId} AND q.asset_id = ${assetId} AND q.resolved_at IS NOT NULL
                   ORDER BY q.resolved_at DESC, q.id DESC
                  OFFSET ${keep}::int)`;
}

/** Problems that one statement deletes, so that it stays short. */
const removedMax = 1000;

/** Deletes problems that were resolved a day ago, and problems of assets that can no longer be restored. */
export async function removeOldProblems(db: Queries): Promise<void> {
  for (let removed = removedMax; removed === removedMax; ) {
    removed = await db.$executeRaw`
      DELETE FROM asset_problems q
       USING (SELECT o.id
                FROM asset_problems o
                JOIN assets a ON a.org_id = o.org_id AND a.id = o.asset_id
               WHERE o.resolved_at <= clock_timestamp() - interval '1 day' OR ${isPastTrash('a')}
               LIMIT ${removedMax}::int) gone
       WHERE q.id = gone.id`;
  }
}
