import type pg from 'pg';
import { hashToken } from '../../server/people/auth/random-token.js';
import { type SeededOrg, seedLocations, seedOrg, seedScans } from '../seed.js';
import type { ReaderAccount } from './publisher.js';

const eventsPerAsset = 10;
const antennas = 4;

export type IngestWorld = SeededOrg & {
  /** Values of the RFID tags, one an asset, in no order. */
  readonly tags: readonly string[];
  readonly accounts: readonly ReaderAccount[];
};

/**
 * Adds an organization whose assets have been read before, and readers that store every read. With `isNew` the assets
 * were never read, and the database has no statistics.
 */
export async function seedIngestWorld(
  client: pg.Client,
  sizes: { assets: number; locations: number; readers: number; isNew?: boolean },
): Promise<IngestWorld> {
  const { assets, locations, readers, isNew = false } = sizes;
  const org = await seedOrg(client, 'Bench', assets);
  await seedLocations(client, org.orgId, locations);
  if (!isNew) await seedScans(client, org.orgId, { assets, locations, events: assets * eventsPerAsset });
  const accounts = await seedReaders(client, org.orgId, { readers, locations });
  const { rows } = await client.query<{ value: string }>(
    `SELECT t.value
       FROM tags t
      WHERE t.org_id = $1 AND t.tag_type = 'rfid' AND t.deleted_at IS NULL
      ORDER BY md5(t.value)`,
    [org.orgId],
  );
  if (!isNew) await client.query('VACUUM (ANALYZE)');
  return { ...org, accounts, tags: rows.map(({ value }) => value) };
}

async function seedReaders(
  client: pg.Client,
  orgId: number,
  { readers, locations }: { readers: number; locations: number },
): Promise<ReaderAccount[]> {
  const accounts = Array.from({ length: readers }, (_, index) => {
    const username = `bench-reader-${index + 1}`;
    return { username, password: `secret of ${username}` };
  });
  await client.query(
    `INSERT INTO readers (org_id, name, format, location_id, mqtt_username, secret_hash, publish_topic, resolution_seconds)
     SELECT $1, r.username, 'native', 1 + (r.no - 1) % $4::int, r.username, r.hash, 'readers/' || r.username || '/reads', 0
       FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS r (username, hash, no)`,
    [orgId, accounts.map(({ username }) => username), accounts.map(({ password }) => hashToken(password)), locations],
  );
  await client.query(
    `INSERT INTO reader_antennas (org_id, reader_id, port, location_id)
     SELECT r.org_id, r.id, a.port, 1 + (r.id * $2::int + a.port) % $3::int
       FROM readers r
      CROSS JOIN generate_series(1, $2::int) AS a (port)
      WHERE r.org_id = $1`,
    [orgId, antennas, locations],
  );
  return accounts;
}
