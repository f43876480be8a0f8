import { contentsMax, levelsMax } from '../../kernel/database/containers.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { lockContainments, putIn, takeOut } from '../../tracking/containers/change.js';
import { containerColumn } from './columns.js';
import { type Placing, userIdOf } from './placing.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';
import { keysInCircles } from './set-checks.js';

/** Assets that are put in or taken out at once. */
const movedMax = 1000;

function namesContainers({ columns }: Pick<Job, 'columns'>): boolean {
  return columns.includes(containerColumn);
}

/** Locks the containers of the organization before the rows that the file changes, as every other change of them does. */
export async function lockContainers(tx: TransactionClient, job: Job): Promise<void> {
  if (namesContainers(job)) await lockContainments(tx, job.orgId);
}

/**
 * Finds the containers that the file names, which can be on any of its lines, and notes which assets are in others or in none. Returns
 * the rows whose containers cannot be found, or cannot hold them once the whole file is applied.
 */
export async function matchContainers(tx: TransactionClient, job: Job): Promise<Problem[]> {
  if (!namesContainers(job)) return [];
  const { orgId } = job;
  await tx.$executeRaw`
    UPDATE staged s
       SET is_repacked = s.container_key IS DISTINCT FROM (
             SELECT c.external_key
               FROM asset_containments k
               JOIN assets c ON c.org_id = k.org_id AND c.id = k.container_id AND c.deleted_at IS NULL
              WHERE k.org_id = ${orgId} AND k.asset_id = s.id AND k.until IS NULL)
     WHERE s.is_valid`;
  return [...(await skipUnknownContainers(tx, job)), ...(await misplaced(tx, job)), ...(await overfull(tx, job))].sort(
    (one, other) => one.line - other.line,
  );
}

/** Leaves the assets whose containers cannot be found where they are, and returns their rows as problems. */
async function skipUnknownContainers(tx: TransactionClient, { orgId }: Job): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number; key: string }[]>`
    UPDATE staged s
       SET is_repacked = false
     WHERE s.is_valid AND s.container_key IS NOT NULL
       AND NOT EXISTS (SELECT FROM staged c WHERE c.external_key = s.container_key)
       AND NOT EXISTS (SELECT FROM assets c
                        WHERE c.org_id = ${orgId} AND c.external_key = s.container_key AND c.deleted_at IS NULL)
    RETURNING s.line, s.container_key AS key`;
  return rows.map(({ line, key }) => problem(line, `${containerColumn} "${key}" not found`));
}

/** Finds circles and assets that would be too deep: of the file's containers, and the stored ones that the file leaves as they are. */
async function misplaced(tx: TransactionClient, { orgId }: Job): Promise<Problem[]> {
  type Edge = { line: number | null; key: string | null; container_key: string | null };
  const rows = await tx.$queryRaw<Edge[]>`
    WITH RECURSIVE edge AS MATERIALIZED (
      SELECT s.line, coalesce(s.external_key, '#' || s.line) AS key, s.container_key
        FROM staged s
       WHERE s.is_valid AND s.container_key IS NOT NULL
      UNION ALL
      SELECT NULL, a.external_key, c.external_key
        FROM asset_containments k
        JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NULL
        JOIN assets c ON c.org_id = k.org_id AND c.id = k.container_id AND c.deleted_at IS NULL
       WHERE k.org_id = ${orgId} AND k.until IS NULL
         AND NOT EXISTS (SELECT FROM staged s WHERE s.external_key = a.external_key AND s.is_valid)
    ), reached AS (
      SELECT e.key, 1 AS level, e.line AS changed_line
        FROM edge e
       WHERE NOT EXISTS (SELECT FROM edge o WHERE o.key = e.container_key)
      UNION
      SELECT e.key, r.level + 1, coalesce(e.line, r.changed_line)
        FROM reached r JOIN edge e ON e.container_key = r.key
       WHERE r.level <= ${levelsMax}
    )
    SELECT e.line, e.key, e.container_key
      FROM edge e WHERE NOT EXISTS (SELECT FROM reached r WHERE r.key = e.key)
    UNION ALL
    SELECT r.changed_line, NULL, NULL
      FROM reached r
     WHERE r.level > ${levelsMax} AND r.changed_line IS NOT NULL
     GROUP BY r.changed_line`;
  const circling = rows.filter(({ key }) => key !== null);
  const inCircle = keysInCircles(new Map(circling.map(({ key, container_key: above }) => [key ?? '', above])));
  return rows.flatMap(({ line, key, container_key: above }) => {
    if (line === null) return [];
    if (key === null) return [problem(line, `assets can be in each other at most ${levelsMax} levels deep`)];
    return inCircle.has(key) ? [problem(line, `${containerColumn} "${above}" is in the asset itself`)] : [];
  });
}

/** Finds the first line of the file that no longer fits into its container. */
async function overfull(tx: TransactionClient, { orgId }: Job): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number; key: string }[]>`
    SELECT f.container_key AS key, f.lines[greatest(1, ${contentsMax + 1}::int - kept.count)] AS line
      FROM (SELECT s.container_key, array_agg(s.line ORDER BY s.line) AS lines
              FROM staged s
             WHERE s.is_valid AND s.container_key IS NOT NULL
             GROUP BY s.container_key) f
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS count
         FROM assets c
         JOIN asset_containments k ON k.org_id = c.org_id AND k.container_id = c.id AND k.until IS NULL
         JOIN assets a ON a.org_id = k.org_id AND a.id = k.asset_id AND a.deleted_at IS NULL
        WHERE c.org_id = ${orgId} AND c.external_key = f.container_key AND c.deleted_at IS NULL
          AND NOT EXISTS (SELECT FROM staged s WHERE s.external_key = a.external_key AND s.is_valid)) kept
     WHERE kept.count + cardinality(f.lines) > ${contentsMax}`;
  return rows.map(({ line, key }) =>
    problem(line, `${containerColumn} "${key}" can hold at most ${contentsMax} assets`),
  );
}

/** Returns a notice for each container that the file puts assets into, with the first line of them, and one for those it takes out. */
export async function noticesOfContainers(tx: TransactionClient, job: Job): Promise<Problem[]> {
  if (!namesContainers(job)) return [];
  const rows = await tx.$queryRaw<{ line: number; count: number; key: string | null }[]>`
    SELECT min(s.line) AS line, count(*)::int AS count, s.container_key AS key
      FROM staged s
     WHERE s.is_valid AND s.is_repacked
     GROUP BY s.container_key
     ORDER BY 1`;
  return rows.map(({ line, count, key }) => ({
    ...problem(
      line,
      key === null ? `${count} assets are taken out of their containers` : `${count} assets are put into ${key}`,
    ),
    isNotice: true,
  }));
}

/**
 * Takes the assets of an applied file out of their containers, and puts them into those that the file names. As all have left their
 * containers before, the order does not matter: each container holds a part of what the checked file puts into it. The caller has written
 * and placed the rows.
 */
export async function packAssets(
  tx: TransactionClient,
  job: Job,
  { interests }: Pick<Placing, 'interests'>,
): Promise<void> {
  if (!namesContainers(job)) return;
  const { orgId, author } = job;
  const scope = { orgId, author, outbound: { interests, userId: userIdOf(job) } };
  const leaving = await tx.$queryRaw<{ ids: number[] }[]>`
    SELECT array_agg(id ORDER BY id) AS ids
      FROM (SELECT k.asset_id AS id, (row_number() OVER (ORDER BY k.asset_id) - 1) / ${movedMax} AS part
              FROM staged s
              JOIN asset_containments k ON k.org_id = ${orgId} AND k.asset_id = s.id AND k.until IS NULL
             WHERE s.is_repacked) contained
     GROUP BY part
     ORDER BY part`;
  for (const { ids } of leaving) await takeOut(tx, scope, { assetIds: ids });
  const groups = await tx.$queryRaw<{ containerId: number; assetIds: number[] }[]>`
    SELECT container_id AS "containerId", array_agg(id ORDER BY id) AS "assetIds"
      FROM (SELECT coalesce(s.id, s.new_id) AS id, coalesce(f.id, f.new_id, c.id) AS container_id
              FROM staged s
              LEFT JOIN staged f ON f.external_key = s.container_key
              LEFT JOIN assets c ON c.org_id = ${orgId} AND c.external_key = s.container_key AND c.deleted_at IS NULL
             WHERE s.is_repacked AND s.container_key IS NOT NULL) wanted
     GROUP BY container_id
     ORDER BY container_id`;
  for (const { containerId, assetIds } of groups) {
    for (const result of await putIn(tx, scope, { containerId, assetIds })) {
      if (result.status === 'failed') throw new Error(`a checked row was not put into its container: ${result.reason}`);
    }
  }
}

function problem(line: number, message: string): Problem {
  return { line, column: containerColumn, message };
}
