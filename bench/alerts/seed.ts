import { randomBytes } from 'node:crypto';
import type pg from 'pg';

export type SeededEndpoint = { orgId: number; port: number; eventTypes: readonly string[] };

/** An enabled endpoint at a port of this machine. */
export async function seedEndpoint(client: pg.Client, { orgId, port, eventTypes }: SeededEndpoint): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoints (org_id, name, url, event_types, secret, created_at, updated_at)
     VALUES ($1, 'bench', $2, $3, $4, now(), now())`,
    [orgId, `http://127.0.0.1:${port}/`, eventTypes, `whsec_${randomBytes(32).toString('base64')}`],
  );
}

export async function removeEndpoints(client: pg.Client, orgId: number): Promise<void> {
  await client.query('DELETE FROM webhook_endpoints WHERE org_id = $1', [orgId]);
}

/** Writes events of moves and the job that routes them, in one transaction, as ingestion does. */
export async function addMoves(client: pg.Client, orgId: number, count: number): Promise<void> {
  await client.query(
    `WITH added AS (
       INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, data)
       SELECT $1, 'asset.location_changed', clock_timestamp(), a.id,
              json_build_object('from_id', NULL, 'to_id', NULL, 'antenna', 1, 'user_id', NULL)
         FROM (SELECT id FROM assets WHERE org_id = $1 AND deleted_at IS NULL LIMIT 200) a
        CROSS JOIN generate_series(1, 1 + $2 / 200) AS round
        LIMIT $2
       RETURNING 1
     )
     SELECT count(*), (graphile_worker.add_job('route_events')).id FROM added`,
    [orgId, count],
  );
}
