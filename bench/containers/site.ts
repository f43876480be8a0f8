import type pg from 'pg';
import type { Database } from '../../server/kernel/database/client.js';
import type { ReceivedMessage } from '../../server/tracking/scans/batch.js';
import type { TagRead } from '../../server/tracking/scans/reader-message.js';
import { hashToken } from '../../server/people/auth/random-token.js';

export type Connections = { client: pg.Client; db: Database };

/** An organization with a reader at each of its locations, and assets of which the first one is a container with all others in it. */
export type ContainerSite = {
  orgId: number;
  assetIds: number[];
  tags: string[];
  locationIds: number[];
  readerIds: number[];
};

type Sizes = {
  assets: number;
  locations: number;
  readersAt: readonly number[];
  rule: 'newest' | 'evidence';
  sinceMs: number;
};

/** @param sizes.readersAt the locations of the readers, from 0 */
export async function seedContainerSite(
  client: pg.Client,
  { assets, locations, readersAt, rule, sinceMs }: Sizes,
): Promise<ContainerSite> {
  const ids = async (text: string, values: unknown[]) =>
    (await client.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
  const [orgId = 0] = await ids('INSERT INTO organizations (name) VALUES ($1) RETURNING id', ['Containers']);
  const named = (table: string, key: string) => `
    INSERT INTO ${table} (org_id, external_key, name, is_active, valid_from, created_at, updated_at)
    SELECT $1, '${key}-' || n, '${key} ' || n, true, now(), now(), now() FROM generate_series(1, $2::int) n
    RETURNING id`;
  const assetIds = await ids(named('assets', 'ASSET'), [orgId, assets]);
  const locationIds = await ids(named('locations', 'LOC'), [orgId, locations]);
  const names = readersAt.map((_, no) => `cart-reader-${orgId}-${no}`);
  await client.query(
    `INSERT INTO readers (org_id, name, format, location_id, mqtt_username, secret_hash, publish_topic, location_rule)
     SELECT $1, r.name, 'native', r.location_id, r.name, r.hash, 'readers/' || r.name || '/reads', $5
       FROM unnest($2::text[], $3::text[], $4::int[]) AS r (name, hash, location_id)`,
    [orgId, names, names.map(hashToken), readersAt.map((at) => locationIds[at]), rule],
  );
  const tags = assetIds.map((id) => `C0FFEE${String(id).padStart(18, '0')}`);
  await client.query(
    `INSERT INTO tags (org_id, asset_id, tag_type, value) SELECT $1, t.id, 'rfid', t.value FROM unnest($2::int[], $3::text[]) AS t (id, value)`,
    [orgId, assetIds, tags],
  );
  await client.query(
    `INSERT INTO asset_containments (org_id, asset_id, container_id, since)
     SELECT $1, c.id, $2, to_timestamp($4::float8 / 1000) FROM unnest($3::int[]) AS c (id)`,
    [orgId, assetIds[0], assetIds.slice(1), sinceMs],
  );
  const readerIds = await ids('SELECT id FROM readers WHERE org_id = $1 ORDER BY id', [orgId]);
  return { orgId, assetIds, tags, locationIds, readerIds };
}

/** A message of a reader, as the broker passes it on. */
export function messageOf(
  [orgId, readerId]: readonly [orgId: number, readerId: number],
  reads: TagRead[],
  receivedAtMs: number,
): ReceivedMessage {
  return { message: { orgId, readerId, topic: 'reads', content: { kind: 'reads', reads } }, receivedAtMs };
}
