import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { hashToken } from '../../server/people/auth/random-token.js';
import { hostileMessages } from '../../test/ingest-broker/mappings/hostile.js';
import type { ReaderAccount } from '../ingest/publisher.js';
import { type SeededOrg, seedOrg } from '../seed.js';

export type Side = SeededOrg & {
  readonly account: ReaderAccount;
  /** A signed-in person. */
  readonly session: { readonly id: string; readonly userId: number; readonly orgId: number };
};

export type Sides = { attacker: Side; bystander: Side; chainId: number; mappedAccounts: readonly ReaderAccount[] };

const bystanderAssets = 1000;
const chainLength = 10_000;
/** Assets of the attacking organization with as many custom details as an asset can have, the first ones by key and by name. */
const largeAssets = 1000;
const detailsOfLargeAsset = 1200;
/** Readers with each hostile mapping. */
const readersPerMapping = 5;
const accountOf = (name: string): ReaderAccount => ({ username: `bench-${name}`, password: `secret of ${name}` });
const mappedAccounts = Array.from({ length: hostileMessages.length * readersPerMapping }, (_, no) =>
  accountOf(`mapped-${no}`),
);

/**
 * Adds two organizations with a reader each. The attacking one has a chain of locations deeper than the service allows.
 */
export async function seedSides(client: pg.Client, assets: number): Promise<void> {
  for (const [name, size] of [
    ['attacker', assets],
    ['bystander', bystanderAssets],
  ] as const) {
    const { orgId } = await seedOrg(client, name, size);
    const { username, password } = accountOf(name);
    await client.query(
      `INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, resolution_seconds)
       VALUES ($1, $2, 'native', $2, $3, 'readers/' || $2 || '/reads', 0)`,
      [orgId, username, hashToken(password)],
    );
    await client.query(
      `WITH person AS (
         INSERT INTO users (email, name, password_hash) VALUES ($2 || '@example.com', $2, 'none') RETURNING id
       ), member AS (
         INSERT INTO memberships (org_id, user_id, role) SELECT $1, id, 'manager' FROM person
       )
       INSERT INTO sessions (id, user_id, org_id) SELECT $3, id, $1 FROM person`,
      [orgId, name, randomUUID()],
    );
  }
  await client.query(
    `WITH given AS MATERIALIZED (
       SELECT n, nextval('locations_id_seq')::int AS id FROM generate_series(1, $1::int) AS n
     )
     INSERT INTO locations (id, org_id, external_key, name, parent_id, valid_from, created_at, updated_at)
     SELECT g.id, o.id, 'CHAIN-' || g.n, 'Level ' || g.n, p.id, now() - interval '1 day', now(), now()
       FROM given g
       JOIN organizations o ON o.name = 'attacker'
       LEFT JOIN given p ON p.n = g.n - 1`,
    [chainLength],
  );
  await seedLargeDetails(client);
  await seedMappings(client);
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

async function seedLargeDetails(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE assets a
        SET metadata = details.value
       FROM organizations o
      CROSS JOIN (SELECT json_object_agg('k' || n, n) AS value FROM generate_series(1, $1::int) AS n) details
      WHERE o.name = 'attacker' AND a.org_id = o.id
        AND a.id IN (SELECT first.id FROM assets first WHERE first.org_id = o.id AND first.deleted_at IS NULL ORDER BY first.id LIMIT $2)`,
    [detailsOfLargeAsset, largeAssets],
  );
}

async function seedMappings(client: pg.Client): Promise<void> {
  for (const [no, { username, password }] of mappedAccounts.entries()) {
    const [, mapping] = hostileMessages[no % hostileMessages.length] ?? [];
    await client.query(
      `INSERT INTO readers (org_id, name, format, mapping, mqtt_username, secret_hash, publish_topic)
       SELECT id, $1, 'mapped', $2, $1, $3, 'readers/' || $1 || '/reads' FROM organizations WHERE name = 'attacker'`,
      [username, JSON.stringify(mapping), hashToken(password)],
    );
  }
}

export async function findSides(client: pg.Client): Promise<Sides> {
  const { rows } = await client.query<SeededOrg & { name: string; sessionId: string; userId: number }>(
    `SELECT o.id AS "orgId", o.name, k.id AS "keyId", s.id AS "sessionId", s.user_id AS "userId"
       FROM organizations o
       JOIN api_keys k ON k.org_id = o.id
       JOIN sessions s ON s.org_id = o.id`,
  );
  const side = (name: string): Side => {
    const found = rows.find((row) => row.name === name);
    if (!found) throw new Error(`the database has no ${name}`);
    const { sessionId: id, userId, orgId } = found;
    return { ...found, account: accountOf(name), session: { id, userId, orgId } };
  };
  const chain = await client.query<{ id: number }>("SELECT id FROM locations WHERE external_key = 'CHAIN-1'");
  return { attacker: side('attacker'), bystander: side('bystander'), chainId: chain.rows[0]?.id ?? 0, mappedAccounts };
}
