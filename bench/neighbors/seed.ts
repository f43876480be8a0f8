import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { hashToken } from '../../server/people/auth/random-token.js';
import type { ReaderAccount } from '../ingest/publisher.js';
import { type SeededOrg, seedOrg } from '../seed.js';

export type Side = SeededOrg & {
  readonly account: ReaderAccount;
  /** A signed-in person. */
  readonly session: { readonly id: string; readonly userId: number; readonly orgId: number };
};

export type Sides = { attacker: Side; bystander: Side; chainId: number };

const bystanderAssets = 1000;
const chainLength = 10_000;
const accountOf = (name: string): ReaderAccount => ({ username: `bench-${name}`, password: `secret of ${name}` });

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
         INSERT INTO memberships (org_id, user_id, role) SELECT $1, id, 'viewer' FROM person
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
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
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
  return { attacker: side('attacker'), bystander: side('bystander'), chainId: chain.rows[0]?.id ?? 0 };
}
