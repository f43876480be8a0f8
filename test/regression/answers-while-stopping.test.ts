import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createStartedDatabase } from '../support/postgres.js';
import { createWorld, type TestOrganization } from '../support/world.js';

const connectionsCount = 8;

function post(token: string, name: string): string {
  const body = JSON.stringify({ name });
  return [
    'POST /api/v1/assets HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** The names of the assets in the answers that a connection has received. */
function namesIn(received: string): string[] {
  return [...received.matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name);
}

/** Posts over one connection without pause, with `ahead` requests under way, until it is closed. Resolves with the names that were answered. */
function postWithoutPause(port: number, { token, name, ahead }: { token: string; name: string; ahead: number }) {
  let sent = 0;
  let received = '';
  let answers = 0;
  const socket: Socket = connect(port, '127.0.0.1');
  const send = () => {
    sent += 1;
    socket.write(post(token, `${name}-${sent}`));
  };
  socket.on('error', () => {});
  socket.on('connect', () => {
    for (let count = 0; count < ahead; count += 1) send();
  });
  socket.on('data', (chunk) => {
    received += chunk.toString('utf8');
    for (const count = namesIn(received).length; answers < count; answers += 1) send();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { answered: () => namesIn(received), closed };
}

async function storedNames(databaseUrl: string, { orgId }: TestOrganization): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM assets WHERE org_id = $1', [orgId]);
  await client.end();
  return rows.map(({ name }) => name).sort();
}

// After a second and a half, connections were closed whatever was under way on them, and what it stored was not answered.
test.each([
  { how: 'one request after the other', ahead: 1 },
  { how: 'several requests ahead', ahead: 4 },
])('connections that post $how get an answer for all that is stored when the service stops', async ({ ahead }) => {
  const database = await createStartedDatabase();
  await using world = await createWorld({ database });
  const organization = await world.organization();
  const clients = Array.from({ length: connectionsCount }, (_none, index) =>
    postWithoutPause(world.port, { token: organization.token, name: `asset-${index}`, ahead }),
  );
  await expect.poll(() => clients.every(({ answered }) => answered().length >= 3)).toBe(true);
  await world.gateway.close();
  await Promise.all(clients.map(({ closed }) => closed));
  const answered = clients.flatMap((client) => client.answered()).sort();
  expect(await storedNames(world.databaseUrl, organization)).toEqual(answered);
});

test('a request that waits for a lock when the service stops is answered, and stores nothing', async () => {
  await using world = await createWorld();
  const organization = await world.organization();
  const { id } = (await organization.post('/api/v1/assets', { name: 'locked' })).body.data;
  const holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM assets WHERE id = $1 FOR UPDATE', [id]);
    const patching = organization.patch(`/api/v1/assets/${id}`, { name: 'changed' });
    await expect
      .poll(async () => {
        const { rows } = await holder.query(
          `SELECT pg_stat_clear_snapshot(), 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    await world.gateway.close();
    const answer = await patching;
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    await holder.query('COMMIT');
    const { rows } = await holder.query('SELECT name FROM assets WHERE id = $1', [id]);
    expect(rows).toEqual([{ name: 'locked' }]);
  } finally {
    await holder.end();
  }
});
