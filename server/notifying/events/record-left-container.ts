import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import type { EventInterests } from './interests.js';

/** An asset whose reads say that it has left its container. */
export type LeftContainer = {
  orgId: number;
  assetId: number;
  containerId: number;
  /** Where the asset was when it left, or came to. */
  locationId: number;
  /** Null if the container is at no location. */
  containerLocationId: number | null;
  atMs: number;
};

const record = defineStatement<readonly LeftContainer[]>(
  'record_left_container',
  ({ rows }) => `
    WITH recorded AS (
      INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
      SELECT c.org_id, 'asset.left_container', to_timestamp(c.at / 1000), c.asset_id, c.location_id,
             json_build_object('container_id', c.container_id, 'container_location_id', c.container_location_id)
        FROM ${rows('c', (left) => left, {
          org_id: ['int', ({ orgId }) => orgId],
          asset_id: ['int', ({ assetId }) => assetId],
          location_id: ['int', ({ locationId }) => locationId],
          container_id: ['int', ({ containerId }) => containerId],
          container_location_id: ['int', ({ containerLocationId }) => containerLocationId],
          at: ['float8', ({ atMs }) => atMs],
        })}
      RETURNING 1
    )
    SELECT (graphile_worker.add_job('route_events')).id::float8 WHERE EXISTS (SELECT FROM recorded)`,
);

/** Writes `asset.left_container` events in the transaction that ends the containments, if the organization uses them. */
export async function recordLeftContainer(
  runner: StatementRunner,
  interests: Pick<EventInterests, 'wants'>,
  left: readonly LeftContainer[],
): Promise<void> {
  const wanted = left.filter(({ orgId }) => interests.wants(orgId, 'asset.left_container'));
  if (wanted.length > 0) await runner.run(record, wanted);
}
