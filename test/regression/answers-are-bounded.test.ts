import { connect, type Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { type TestSession, addSession } from '../support/factories.js';
import { fileWorld } from '../support/shared.js';
import { createWorld, type TestOrganization } from '../support/world.js';

const world = fileWorld(createWorld);
let org: TestOrganization;
let session: TestSession;

const mebibyte = 1_048_576;
/** A page of all rows is 23 MiB: each has nearly as much in custom details and tags as it may. */
const rows = 200;
const keyOf = (no: number) => `K${String(no).padStart(3, '0')}`;

beforeAll(async () => {
  org = await world.organization();
  session = await addSession(world, org.orgId, 'manager');
  await world.db.$executeRaw`
    WITH made AS (
      INSERT INTO assets (org_id, external_key, name, metadata, valid_from, created_at, updated_at)
      SELECT ${org.orgId}, 'K' || lpad(n::text, 3, '0'), 'Pump', json_build_object('no', n, 'text', repeat('x', 16000)), now(), now(), now()
        FROM generate_series(0, ${rows - 1}) n
      RETURNING id, external_key
    )
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT ${org.orgId}, made.id, 'barcode', made.external_key || repeat('\u754c', 240) || n
      FROM made, generate_series(1, 100) n`;
});

test('a page of the largest rows is complete and in order', async () => {
  const { body, headers } = await org.get(`/api/v1/assets?limit=${rows}`);
  expect(Object.keys(body)).toEqual(['data', 'limit', 'offset', 'total_count']);
  for (const [no, asset] of body.data.entries()) {
    expect([asset.external_key, asset.metadata.no, asset.tags.length]).toEqual([keyOf(no), no, 100]);
  }
  expect(Number(headers['content-length'])).toBeGreaterThan(14 * mebibyte);
});

test('answers that are not read take a bounded memory of their organization', async () => {
  const other = await world.organization();
  const sockets: Socket[] = [];
  const open = () => {
    const socket = connect({ port: world.port, host: '127.0.0.1' }).pause();
    socket.on('error', () => {});
    const head = [`GET /api/v1/assets?limit=${rows} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${org.token}`];
    socket.write([...head, '', ''].join('\r\n'));
    sockets.push(socket);
  };
  const create = () => org.post('/api/v1/locations', { name: 'Hall' });
  let refused = await create();
  // The sockets of both sides buffer a part of each answer, so it takes more of them than the pages would suggest.
  await expect
    .poll(async () => {
      open();
      refused = await create();
      // A busy database refuses for longer.
      return [refused.status, refused.headers['retry-after']];
    })
    .toEqual([503, '1']);
  expect(refused.body.error.type).toBe('service_unavailable');
  expect((await other.get('/api/v1/assets')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await create()).status).toBe(201);
});

test('a call of the app can return 16 MiB, and several calls of a request 2 MiB together', async () => {
  const large = encodeURIComponent(JSON.stringify({ 0: { limit: 200 }, 1: { limit: 200 } }));
  const lists = await session.call('GET', `/trpc/assets.list,assets.list?batch=1&input=${large}`);
  const statuses = lists.body.map(({ error }: { error?: { data: { httpStatus: number } } }) => error?.data.httpStatus);
  expect(statuses.toSorted()).toEqual([400, undefined]);

  const calls = 20;
  const input = encodeURIComponent(
    JSON.stringify(Object.fromEntries(Array.from({ length: calls }, (_, no) => [no, {}]))),
  );
  const path = Array(calls).fill('assets.exportPage').join(',');
  const { body, text } = await session.call('GET', `/trpc/${path}?batch=1&input=${input}`);
  expect(body.filter(({ result }: { result?: unknown }) => result)).not.toHaveLength(0);
  expect(text.length).toBeLessThan(2.5 * mebibyte);
});

test('an export ends its pages early, and has all rows on all of them', async () => {
  const sizes: number[] = [];
  const keys: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const input = encodeURIComponent(JSON.stringify({ after, limit: 1000 }));
    const { body } = await session.call('GET', `/trpc/assets.exportPage?input=${input}`);
    const page: { data: { external_key: string }[]; next: string | null } = body.result.data;
    keys.push(...page.data.map(({ external_key: key }) => key));
    sizes.push(JSON.stringify(page).length);
    after = page.next;
  }
  expect(keys).toEqual(Array.from({ length: rows }, (_none, no) => keyOf(no)));
  // The last row of a page exceeds what a page may have.
  expect(Math.max(...sizes)).toBeLessThan(0.7 * mebibyte);
});
