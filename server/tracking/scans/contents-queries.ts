import { levelsMax } from '../../kernel/database/containers.js';
import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import { lockedPosition, type PositionRow } from './resolve-batch.js';
import { at } from './reader-storage.js';

/** `is_cut` if there are more contents than one transaction moves. */
export type ContainedRow = PositionRow & { container_id: number; is_cut: boolean };

/**
 * The most contents that one transaction moves of an organization. Without it, one read of a container of containers could hold up the
 * reads of all organizations.
 */
export const carriedMax = 5000;

type AssetKey = { orgId: number; assetId: number };

const assetColumns = {
  org_id: ['int', ({ orgId }: AssetKey) => orgId],
  asset_id: ['int', ({ assetId }: AssetKey) => assetId],
} as const;

/** Whether the asset of the containment `k` is live. `+ 0`: without statistics, any index of an organization seems as good as the id. */
const isLive = (id: string) =>
  `(SELECT a.deleted_at IS NULL FROM assets a WHERE a.id = ${id} AND a.org_id + 0 = k.org_id)`;

/** The containments of each container are a subquery of their own. As a join, all assets could be read for each of them. */
const contentsStatement = defineStatement<readonly AssetKey[], ContainedRow>(
  'lock_contents',
  ({ rows }) => `
    WITH RECURSIVE inside AS (
      SELECT m.org_id, m.asset_id, NULL::int AS container_id, 0 AS level
        FROM ${rows('m', (assets) => assets, assetColumns)}
      UNION
      SELECT i.org_id, c.asset_id, i.asset_id, i.level + 1
        FROM inside i
       CROSS JOIN LATERAL (
         SELECT k.asset_id
           FROM asset_containments k
          WHERE k.org_id = i.org_id AND k.container_id = i.asset_id AND k.until IS NULL AND ${isLive('k.asset_id')}
         OFFSET 0
       ) c
       WHERE i.level < ${levelsMax}
    ), moved AS MATERIALIZED (
      SELECT org_id, asset_id, container_id FROM inside WHERE level > 0 LIMIT ${carriedMax}
    )
    SELECT u.*, p.*, (SELECT count(*) FROM moved) = ${carriedMax} AS is_cut
      FROM (SELECT DISTINCT org_id, asset_id, container_id FROM moved ORDER BY asset_id OFFSET 0) u
      ${lockedPosition('u')}`,
);

/**
 * Locks the positions of the live assets in containers of an organization, at any level, in the order of their ids: of `carriedMax` at
 * most, the upper levels first.
 */
export function lockContents(runner: StatementRunner, containers: readonly AssetKey[]): Promise<ContainedRow[]> {
  return runner.run(contentsStatement, containers);
}

/** A container of an asset, and where the container is; null for no location. */
type ContainerRow = { org_id: number; asset_id: number; container_id: number; location_id: number | null };

const containersStatement = defineStatement<readonly AssetKey[], ContainerRow>(
  'find_containers',
  ({ rows }) => `
    SELECT m.org_id, m.asset_id, c.container_id,
           (SELECT p.location_id FROM asset_positions p WHERE p.org_id = m.org_id AND p.asset_id = c.container_id) AS location_id
      FROM ${rows('m', (assets) => assets, assetColumns)}
     CROSS JOIN LATERAL (
       SELECT k.container_id
         FROM asset_containments k
        WHERE k.org_id = m.org_id AND k.asset_id = m.asset_id AND k.until IS NULL AND ${isLive('k.container_id')}
       OFFSET 0
     ) c`,
);

/** Returns the live containers that assets are in. */
export function findContainers(runner: StatementRunner, assets: readonly AssetKey[]): Promise<ContainerRow[]> {
  return runner.run(containersStatement, assets);
}

/** An asset that was placed with its container, or a container that was placed where its contents are (`containerId` null). */
export type Carried = AssetKey & { containerId: number | null; atMs: number };

/** `isSeen` if a read or a scan of the container decided it: its contents then count as seen. */
export type Recorded = { carried: readonly Carried[]; userId: number | null; isSeen: boolean };

const recordStatement = defineStatement<Recorded>(
  'record_carried',
  ({ rows, value }) => `
    INSERT INTO asset_placements (org_id, asset_id, placed_at, seen_before, placed_by, container_id, with_contents)
    SELECT c.org_id, c.asset_id, ${at('c.at')},
           CASE WHEN ${value('boolean', ({ isSeen }) => isSeen)} THEN ${at('c.at')}
                ELSE (SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
                        FROM asset_placements w
                       WHERE w.org_id = c.org_id AND w.asset_id = c.asset_id AND w.placed_at = p.asset_last_seen) END,
           ${value('int', ({ userId }) => userId)}, c.container_id, c.container_id IS NULL
      FROM ${rows('c', ({ carried }) => carried, {
        org_id: ['int', ({ orgId }) => orgId],
        asset_id: ['int', ({ assetId }) => assetId],
        container_id: ['int', ({ containerId }) => containerId],
        at: ['float8', ({ atMs }) => atMs],
      })}
      LEFT JOIN asset_positions p ON p.org_id = c.org_id AND p.asset_id = c.asset_id
    ON CONFLICT DO NOTHING`,
);

/** Records which assets were placed with their containers, before their positions change. */
export async function recordCarried(runner: StatementRunner, recorded: Recorded): Promise<void> {
  if (recorded.carried.length > 0) await runner.run(recordStatement, recorded);
}

/** The job that decides about a container and contents that are elsewhere, and when it first runs after they came apart. */
export const settleTask = 'settle_container';
export const settleAfterMs = 40_000;

const settleStatement = defineStatement<readonly AssetKey[]>(
  'settle_containers',
  ({ rows }) => `
    SELECT (graphile_worker.add_job(
             '${settleTask}', json_build_object('org_id', c.org_id, 'container_id', c.asset_id),
             run_at => now() + interval '${settleAfterMs} milliseconds',
             job_key => '${settleTask}:' || c.asset_id, job_key_mode => 'preserve_run_at',
             queue_name => '${settleTask} ' || c.org_id)).id::float8
      FROM (SELECT * FROM ${rows('g', (assets) => assets, assetColumns)} ORDER BY 1, 2) c
     WHERE EXISTS (SELECT FROM asset_containments k
                    WHERE k.org_id = c.org_id AND k.container_id = c.asset_id AND k.until IS NULL OFFSET 0)`,
);

/**
 * Adds jobs that decide about containers that some of their contents may be away from; assets that hold nothing have none. The jobs of
 * an organization run one after the other, so that they leave workers to others.
 */
export async function settleLater(runner: StatementRunner, containers: readonly AssetKey[]): Promise<void> {
  if (containers.length > 0) await runner.run(settleStatement, containers);
}
