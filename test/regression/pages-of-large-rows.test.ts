import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendPieces } from '../../gateway/rest/send-pieces.js';
import { createUnsentAnswers } from '../../gateway/unsent-answers.js';
import type { Actor } from '../../server/index.js';
import { type TestSession, addSession } from '../support/factories.js';
import { createListener } from '../support/http-listener.js';
import { sendRaw } from '../support/raw-http.js';
import { createWorld, type TestOrganization, type World } from '../support/world.js';

let world: World;
let org: TestOrganization;
let session: TestSession;

const mebibyte = 1_048_576;
/** A page of these is more than the sockets of both sides buffer, and more than `/trpc` answers. */
const rows = 24;
const metadataOf = (no: number) =>
  no % 4 === 0 ? { small: no } : { text: `“$&” "metadata":{}${'x'.repeat(900_000)}`, no };

beforeAll(async () => {
  world = await createWorld();
  org = await world.organization();
  session = await addSession(world, org.orgId, 'manager');
  for (let no = 0; no < rows; no += 1) {
    const external_key = `K${String(no).padStart(2, '0')}`;
    await org.post('/api/v1/assets', { name: '"metadata":{}', external_key, metadata: metadataOf(no) });
  }
});
afterAll(() => world[Symbol.asyncDispose]());

type Outcome = { error?: { data: { error: { type: string; detail: string } } } };

const head = (line: string, { token }: TestOrganization, ...more: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...more, '', ''].join('\r\n');

test('a page of large rows is complete and in order', async () => {
  const { body } = await org.get(`/api/v1/assets?limit=${rows}`);
  expect(Object.keys(body)).toEqual(['data', 'limit', 'offset', 'total_count']);
  expect(body).toMatchObject({ limit: rows, offset: 0, total_count: rows });
  for (const [no, asset] of body.data.entries()) expect(asset.metadata).toEqual(metadataOf(no));
  const single = await org.get(`/api/v1/assets/${body.data[1].id}`);
  expect(body.data[1]).toEqual(single.body.data);
});

test('it is written in pieces of a row or two, of which none is as large as the page', async () => {
  const answer = await sendRaw(world.port, [head(`GET /api/v1/assets?limit=${rows}`, org, 'Connection: close')]);
  expect(answer.headers.get('transfer-encoding')).toBe('chunked');
  const sizes = chunkSizes(answer.body);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(15 * mebibyte);
  expect(Math.max(...sizes)).toBeLessThan(2 * mebibyte);
});

test('HEAD does not say how long it is', async () => {
  const answer = await sendRaw(world.port, [head('HEAD /api/v1/assets', org, 'Connection: close')]);
  expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, 'application/json', '']);
  expect(answer.headers.has('content-length')).toBe(false);
});

test('an answer whose rows cannot be read anymore is broken off', async () => {
  const socket = connect({ port: world.port, host: '127.0.0.1' });
  socket.write(head(`GET /api/v1/assets?limit=${rows}`, org));
  let received = '';
  await new Promise<void>((resolve) => socket.once('data', () => resolve(void socket.pause())));
  await world.db.$executeRaw`ALTER TABLE assets RENAME COLUMN metadata TO away`;
  try {
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.resume();
    await new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  } finally {
    await world.db.$executeRaw`ALTER TABLE assets RENAME COLUMN away TO metadata`;
  }
  expect(received).not.toContain('total_count');
  expect(received.endsWith('0\r\n\r\n')).toBe(false);
});

test('a page that is short although its row has many tags has a Content-Length, also for HEAD', async () => {
  const tags = Array.from({ length: 60 }, (_, no) => ({ tag_type: 'rfid', value: `S${no}` }));
  const other = await world.organization();
  const { body } = await other.post('/api/v1/assets', { name: 'Crate', tags });
  const text = JSON.stringify({ data: [body.data], limit: 50, offset: 0, total_count: 1 });
  for (const [method, sent] of [
    ['GET', text],
    ['HEAD', ''],
  ] as const) {
    const answer = await sendRaw(world.port, [head(`${method} /api/v1/assets`, other, 'Connection: close')]);
    expect([answer.headers.get('content-length'), answer.body]).toEqual([String(text.length), sent]);
  }
});

test('a page of small rows has a Content-Length', async () => {
  const { headers } = await org.get('/api/v1/assets?external_key=K00&external_key=K04');
  expect(Number(headers['content-length'])).toBeGreaterThan(0);
});

test('answers that are not read take a bounded memory of their organization', async () => {
  const other = await world.organization();
  const sockets: Socket[] = [];
  const statusOf = async () => (await org.get('/api/v1/assets?limit=1')).status;
  // Each holds more than 4 MiB of 64 MiB.
  for (let no = 0; no < 16; no += 1) {
    const socket = connect({ port: world.port, host: '127.0.0.1' }).pause();
    socket.on('error', () => {});
    socket.write(head('GET /api/v1/assets', org));
    sockets.push(socket);
  }
  await expect.poll(statusOf).toBe(503);
  const refused = await org.post('/api/v1/assets', { name: 'Pump' });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(refused.body.error.type).toBe('service_unavailable');
  expect((await session.get('/trpc/assets.list?input=%7B%7D')).status).toBe(503);
  expect((await other.get('/api/v1/assets')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(statusOf).toBe(200);
});

test('answers of little text take none of it, however many are being written', async () => {
  const unsent = createUnsentAnswers();
  const caller = { orgId: 1 } as Actor;
  const gate = new EventTarget();
  const read = async function* () {
    yield ['{}'];
    await once(gate, 'open');
  };
  let begun = 0;
  await using listener = await createListener((_request, response) => {
    begun += 1;
    const hold = (bytes: number) => unsent.hold(caller, response, bytes);
    return sendPieces(response, { data: [] }, { pieces: { read, bytes: 1000 }, isHead: false, hold });
  });
  const answers = Promise.all(Array.from({ length: 80 }, () => fetch(listener.url)));
  await expect.poll(() => begun).toBe(80);
  expect(() => unsent.requireSpace(caller)).not.toThrow();
  gate.dispatchEvent(new Event('open'));
  expect((await answers).every(({ ok }) => ok)).toBe(true);
});

test('a call of the app returns at most 16 MiB of custom details', async () => {
  const list = (limit: number) =>
    session.call('GET', `/trpc/assets.list?input=${encodeURIComponent(JSON.stringify({ limit }))}`);
  const few = await list(8);
  expect(few.body.result.data.data.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
    Array.from({ length: 8 }, (_, no) => metadataOf(no)),
  );
  expect(await list(rows)).toMatchObject({ status: 200 });
  const batch = await session.call(
    'GET',
    `/trpc/assets.list,assets.list?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }))}`,
  );
  const statuses = batch.body.map(({ error }: { error?: { data: { httpStatus: number } } }) => error?.data.httpStatus);
  expect(statuses.toSorted()).toEqual([400, undefined]);
});

test('the results of all calls of the app together are bounded', async () => {
  const ids = await world.db.$queryRaw<{ id: number }[]>`
    SELECT id FROM assets WHERE org_id = ${org.orgId} AND octet_length(metadata::text) > ${mebibyte / 2} ORDER BY id`;
  expect(ids).toHaveLength(18);
  const calls = [...ids, ...ids.slice(0, 2)].map(({ id }) => ({ asset_id: id }));
  const gets = `/trpc/${calls.map(() => 'assets.get').join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(calls.entries())))}`;
  const read: Outcome[] = (await session.call('GET', gets)).body;
  expect(read.some(({ error }) => error?.data.error.type === 'bad_request')).toBe(true);
  expect(read.some(({ error }) => error === undefined)).toBe(true);

  const renames = `/trpc/${calls.map(() => 'assets.rename').join(',')}?batch=1`;
  const keys = Object.fromEntries(calls.map((call, no) => [no, { ...call, external_key: `R${no % 18}` }]));
  const renamed: Outcome[] = (await session.call('POST', renames, { body: keys })).body;
  const refused = renamed.flatMap(({ error }) => error?.data.error ?? []);
  expect(refused.length).toBeGreaterThan(0);
  for (const error of refused) expect(error.detail).toBe('The call was made, but its answer is too large');
  const kept = await world.db.$queryRaw`SELECT 1 FROM assets WHERE org_id = ${org.orgId} AND external_key LIKE 'R%'`;
  expect(kept).toHaveLength(18);
  await world.db.$executeRaw`
    UPDATE assets SET external_key = 'K' || lpad((metadata ->> 'no'), 2, '0')
     WHERE org_id = ${org.orgId} AND external_key LIKE 'R%'`;
});

test('pages of locations with many tags are written in pieces as well', async () => {
  const tagged = await world.organization();
  const { body } = await tagged.post('/api/v1/locations', { name: 'Hall', external_key: 'HALL' });
  const hall = body.data.id;
  await tagged.post('/api/v1/locations', { name: 'Gate', parent_id: hall, tags: [{ tag_type: 'ble', value: 'G' }] });
  await world.db.$executeRaw`
    INSERT INTO tags (org_id, location_id, tag_type, value)
    SELECT ${tagged.orgId}, ${hall}, 'barcode', n || E'\t"\\\\/界\u2028' FROM generate_series(1, 2000) n`;
  const list = await tagged.get('/api/v1/locations');
  expect([list.headers['content-length'], list.headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
  const single = await tagged.get(`/api/v1/locations/${hall}`);
  const [full, gate] = list.body.data;
  expect(full).toEqual(single.body.data);
  expect(full.tags).toHaveLength(2000);
  expect(gate).toMatchObject({ external_key: 'LOC-0001', tags: [{ tag_type: 'ble', value: 'G' }] });
  const ancestors = await tagged.get(`/api/v1/locations/${gate.id}/ancestors`);
  expect(ancestors.text).toBe(JSON.stringify({ data: [full], limit: 50, offset: 0, total_count: 1 }));
  expect((await tagged.get(`/api/v1/locations/${hall}/children`)).headers['content-length']).toBeDefined();
});

test('lists of the app have at most 100 tags of an asset', async () => {
  const tagged = await world.organization();
  const people = await addSession(world, tagged.orgId, 'viewer');
  const { body } = await tagged.post('/api/v1/assets', { name: 'Crate' });
  await world.db.$executeRaw`
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT ${tagged.orgId}, ${body.data.id}, 'rfid', 'T' || n FROM generate_series(1, 101) n`;
  const table = await people.call('GET', '/trpc/assets.table?input=%7B%7D');
  expect(table.body.result.data.data[0].tags).toHaveLength(100);
  const input = encodeURIComponent(JSON.stringify({ asset_id: body.data.id }));
  const detail = await people.call('GET', `/trpc/assets.detail?input=${input}`);
  expect(detail.body.result.data.tags).toHaveLength(101);
});

test('an export ends its pages early, and has all rows on all of them', async () => {
  const sizes: number[] = [];
  const keys: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const input = encodeURIComponent(JSON.stringify({ after, limit: 1000 }));
    const { body } = await session.call('GET', `/trpc/assets.exportPage?input=${input}`);
    const page: { data: { external_key: string; metadata: object }[]; next: string | null } = body.result.data;
    for (const { external_key: key, metadata } of page.data) {
      expect(metadata).toEqual(metadataOf(keys.length));
      keys.push(key);
    }
    sizes.push(JSON.stringify(page).length);
    after = page.next;
  }
  expect(keys).toHaveLength(rows);
  expect(Math.max(...sizes)).toBeLessThan(6 * mebibyte);
});

test('an export of rows with many tags does the same', async () => {
  const tagged = await world.organization();
  const people = await addSession(world, tagged.orgId, 'manager');
  // 60 locations with 150 tags of 760 bytes each.
  await world.db.$executeRaw`
    WITH made AS (
      INSERT INTO locations (org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT ${tagged.orgId}, 'L' || lpad(n::text, 3, '0'), 'Shelf', now(), now(), now() FROM generate_series(1, 60) n
      RETURNING id, external_key
    )
    INSERT INTO tags (org_id, location_id, tag_type, value)
    SELECT ${tagged.orgId}, made.id, 'barcode', made.external_key || repeat('界', 240) || n
      FROM made, generate_series(1, 150) n`;
  const keys: string[] = [];
  let pages = 0;
  for (let after: string | null = ''; after !== null; pages += 1) {
    const input = encodeURIComponent(JSON.stringify({ after, limit: 1000 }));
    const { body } = await people.call('GET', `/trpc/locations.exportPage?input=${input}`);
    keys.push(...body.result.data.data.map((row: { external_key: string }) => row.external_key));
    after = body.result.data.next;
  }
  expect(keys).toEqual(Array.from({ length: 60 }, (_, no) => `L${String(no + 1).padStart(3, '0')}`));
  expect(pages).toBe(2);
});

function chunkSizes(body: string): number[] {
  const sizes: number[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, end), 16);
    sizes.push(size);
    at = end + 2 + size + 2;
  }
  return sizes;
}
