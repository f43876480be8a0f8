import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { createIdentity } from '../../../server/auth/identity.js';
import type { LivePosition } from '../../../server/live/items.js';
import { createClient } from '../../support/rest-client.js';
import { authSecret } from '../../support/caller.js';
import { type EventStream, openEventStream } from '../../support/event-stream.js';
import { createLiveWorld, type LiveSession, type LiveWorld } from '../../support/live-world.js';
import { cs463 } from '../../support/mqtt.js';

let world: LiveWorld;

beforeAll(async () => {
  world = await createLiveWorld();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const epc = 'E2801190A503006543E21224';

/** An organization with an asset, a reader that is connected, and a viewer. */
async function setUp() {
  const org = await world.organization();
  const dock = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ format: 'csl_cs463', location_id: dock });
  const client = await world.connect(reader);
  const session = await world.session(org.orgId);
  const read = (...epcs: string[]) =>
    client.publishAsync(reader.publish_topic, cs463(epcs.length === 0 ? [epc] : epcs), { qos: 1 });
  return { org, dock, asset, reader, session, read };
}

/** The next item of a stream, which must have one. */
async function nextItem(stream: EventStream): Promise<any> {
  const next = await stream.next();
  if (next?.event === 'connected') return nextItem(stream);
  if (next?.event !== 'message') throw new Error(`no item but ${JSON.stringify(next)}`);
  expect(next.id).toMatch(/^[0-9A-Z]{26}$/);
  return next.data;
}

async function nextPositions(stream: EventStream): Promise<LivePosition[]> {
  const item = await nextItem(stream);
  expect(item.kind).toBe('positions');
  return item.positions;
}

/** A resumed stream may first say that it has caught up with what its process has received. */
async function nextMoved(stream: EventStream): Promise<LivePosition[]> {
  for (;;) {
    const positions = await nextPositions(stream);
    if (positions.length > 0) return positions;
  }
}

async function opened(session: LiveSession, options: Parameters<LiveSession['live']>[0] = {}): Promise<EventStream> {
  const stream = await session.live(options);
  expect(await nextItem(stream)).toEqual({ kind: 'ready' });
  return stream;
}

/** Returns the error event that ends the stream. */
async function refusal(stream: EventStream): Promise<any> {
  for (;;) {
    const next = await stream.next();
    if (!next) throw new Error(`the stream was ${await stream.ended()} without a word`);
    if (next.event === 'serialized-error') return next.data.data;
  }
}

describe('scans.live', () => {
  it('sends a position as soon as a read has moved it', async () => {
    const { org, dock, asset, session, read } = await setUp();
    using stream = await opened(session);
    await read();
    const [first] = await nextPositions(stream);
    const [stored] = await org.positions();
    expect(first).toEqual({
      asset_id: asset,
      asset_external_key: expect.any(String),
      asset_name: 'A thing',
      location_id: dock,
      location_external_key: expect.any(String),
      location_name: 'A thing',
      from_location_id: null,
      from_location_name: null,
      asset_last_seen: stored?.at,
      located_since: stored?.at,
    });
    await read();
    const [second] = await nextPositions(stream);
    expect(second?.located_since).toBe(first?.located_since);
    expect(Date.parse(second?.asset_last_seen ?? '')).toBeGreaterThan(Date.parse(first?.asset_last_seen ?? ''));
  });

  it('sends what a handheld moved, with its arrival', async () => {
    const { org, dock, asset, session } = await setUp();
    const shelf = await org.location();
    using stream = await opened(session);
    const submit = (location_id: number, observed_at: string) =>
      org.admin.scans.submit({ submission_id: ulid(), location_id, reads: [{ asset_id: asset }], observed_at });
    const times = [40, 30, 20].map((secondsAgo) => new Date(Date.now() - secondsAgo * 1000).toISOString());
    const told: LivePosition[][] = [];
    for (const [index, location] of [dock, dock, shelf].entries()) {
      await submit(location, times[index] ?? '');
      told.push(await nextPositions(stream));
    }
    expect(told.flat().map(({ located_since }) => located_since)).toEqual([times[0], times[0], times[2]]);
    // Reads that do not advance the position are not sent.
    await submit(dock, times[0] ?? '');
    await submit(shelf, new Date().toISOString());
    expect(await nextPositions(stream)).toMatchObject([{ location_id: shelf, located_since: times[2] }]);
  });

  it('sends nothing of other organizations', async () => {
    const [one, two] = [await setUp(), await setUp()];
    using first = await opened(one.session);
    using second = await opened(two.session);
    using third = await opened(await world.session(two.org.orgId, 'admin'));
    await one.read();
    expect(await nextPositions(first)).toMatchObject([{ asset_id: one.asset }]);
    await two.read();
    for (const stream of [second, third]) expect(await nextPositions(stream)).toMatchObject([{ asset_id: two.asset }]);
  });

  it('leaves deleted assets out, and sends those whose effective window is over', async () => {
    const { org, asset, session, read } = await setUp();
    const expired = await org.asset({ tags: [['rfid', 'E280FF']] });
    await world.db.asset.update({ where: { id: expired }, data: { validTo: new Date(Date.now() - 1000) } });
    using stream = await opened(session);
    await world.db.$transaction(async (tx) => {
      // A notice and a deletion at once, as when a read and a deletion meet.
      const now = new Date();
      await tx.$executeRaw`
        INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
        VALUES (${org.orgId}::int, ${asset}::int, now(), now())`;
      await tx.asset.update({ where: { id: asset }, data: { deletedAt: now } });
      await tx.$queryRaw`SELECT pg_notify('whereabouts_positions', ${`${org.orgId}:${asset}`})::text`;
    });
    await read('E280FF');
    expect(await nextPositions(stream)).toMatchObject([{ asset_id: expired }]);
  });

  it('misses nothing between its first item and what is requested after it', async () => {
    const { org, session, read } = await setUp();
    const tags = Array.from({ length: 40 }, (_, n) => `AB${String(n).padStart(4, '0')}`);
    for (const tag of tags) await org.asset({ tags: [['rfid', tag]] });
    let isOver = false;
    const reading = (async () => {
      for (let round = 0; round < 4; round += 1) for (const tag of tags) await read(tag);
      isOver = true;
    })();
    const shown = new Map<number, string>();
    using stream = await opened(session);
    for (const { asset_id, at } of await org.positions()) shown.set(asset_id, at);
    const wasUnderWay = !isOver;
    await reading;
    const truth = new Map((await org.positions()).map(({ asset_id, at }) => [asset_id, at]));
    for (;;) {
      if ([...truth].every(([id, at]) => shown.get(id) === at)) break;
      for (const { asset_id, asset_last_seen } of await nextPositions(stream)) shown.set(asset_id, asset_last_seen);
    }
    expect(wasUnderWay).toBe(true);
    expect(shown).toEqual(truth);
  });

  it('ignores notices in another format', async () => {
    const { org, asset, session, read } = await setUp();
    using stream = await opened(session);
    const { orgId } = org;
    for (const payload of ['', 'x', `${orgId}:`, `${orgId}:a,-1,,99999999999,1e400,2`, `:${asset}`, `1.5:${asset}`]) {
      await world.db.$queryRaw`SELECT pg_notify('whereabouts_positions', ${payload})::text`;
    }
    await read();
    expect(await nextPositions(stream)).toMatchObject([{ asset_id: asset }]);
  });
});

describe('a lost connection', () => {
  it('is resumed with what was missed, by the header or by the input', async () => {
    const { asset, session, read } = await setUp();
    const before = await opened(session);
    const lastEventId = before.lastEventId() ?? '';
    before.close();
    await read();
    const input = encodeURIComponent(JSON.stringify({ lastEventId }));
    using byHeader = await session.live({ lastEventId });
    using byInput = await openEventStream(`${world.url}/trpc/scans.live?input=${input}`, { token: session.token });
    for (const stream of [byHeader, byInput]) {
      expect(await nextMoved(stream)).toMatchObject([{ asset_id: asset }]);
      expect(stream.lastEventId()).not.toBe('');
    }
    await read();
    expect(await nextMoved(byHeader)).toMatchObject([{ asset_id: asset }]);
  });

  it('is resumed with no positions where nothing was missed', async () => {
    const { session } = await setUp();
    using before = await opened(session);
    using after = await session.live({ lastEventId: before.lastEventId() ?? '' });
    expect(await nextPositions(after)).toEqual([]);
  });

  it('is resumed in another process that listened meanwhile', async () => {
    const { asset, session, read } = await setUp();
    const elsewhere = await setUp();
    const { url } = await world.another();
    using witness = await opened(elsewhere.session, { url });
    using witnessHere = await opened(elsewhere.session);
    // Both receive everything in one order: by this the first process knows that the other one listens too,
    await elsewhere.read();
    for (const stream of [witness, witnessHere]) await nextPositions(stream);
    const before = await opened(session);
    const lastEventId = before.lastEventId() ?? '';
    before.close();
    await read();
    // and by this the other one has received the read.
    await elsewhere.read();
    await nextPositions(witness);
    using after = await session.live({ url, lastEventId });
    expect(await nextMoved(after)).toMatchObject([{ asset_id: asset }]);
  });

  it('gets a resync in a process that did not listen, and then continues', async () => {
    const { asset, session, read } = await setUp();
    using before = await opened(session);
    const { url } = await world.another();
    using after = await session.live({ url, lastEventId: before.lastEventId() ?? '' });
    expect(await nextItem(after)).toEqual({ kind: 'resync' });
    await read();
    for (const stream of [before, after]) expect(await nextMoved(stream)).toMatchObject([{ asset_id: asset }]);
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['of 10 KB', 'x'.repeat(10_240)],
    ['of bytes that are no text', '\u{fe}\u{ff}"\\'],
    ['of another kind', ulid()],
  ])('is answered by a resync where its id is %s', async (_, lastEventId) => {
    const { asset, session, read } = await setUp();
    using stream = await session.live({ lastEventId });
    expect(await nextItem(stream)).toEqual({ kind: 'resync' });
    await read();
    expect(await nextPositions(stream)).toMatchObject([{ asset_id: asset }]);
  });

  it('to the database is detected, and subscribers load everything again', async () => {
    const { asset, session, read } = await setUp();
    using stream = await opened(session);
    const ended = await world.db.$queryRaw<unknown[]>`
      SELECT pg_terminate_backend(pid)::text
        FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'whereabouts live'`;
    expect(ended.length).toBeGreaterThan(0);
    await read();
    // What was announced before the connection broke may still be sent.
    let item = await nextItem(stream);
    if (item.kind === 'positions') item = await nextItem(stream);
    expect(item).toEqual({ kind: 'resync' });
    await read();
    expect(await nextPositions(stream)).toMatchObject([{ asset_id: asset }]);
  });
});

describe('a stream', () => {
  it('needs a session, and reports why it is rejected', async () => {
    const { org, session } = await setUp();
    const url = `${world.url}/trpc/scans.live`;
    using nobody = await openEventStream(url);
    expect(await refusal(nobody)).toMatchObject({ code: 'UNAUTHORIZED', httpStatus: 401 });
    expect(await nobody.ended()).toBe('complete');
    using forged = await openEventStream(url, { token: `${session.token.slice(0, -8)}AAAAAAAA` });
    expect(await refusal(forged)).toMatchObject({
      code: 'UNAUTHORIZED',
      error: { detail: 'Invalid or expired token' },
    });
    const identity = createIdentity({
      db: world.db,
      log: world.log,
      settings: { authSecret, environment: world.settings.environment },
    });
    const { id } = await world.db.apiKey.create({
      data: { id: crypto.randomUUID(), orgId: org.orgId, name: 'key', scopes: ['tracking:read'] },
    });
    using byKey = await openEventStream(url, { token: await identity.signApiKey({ id, expiresAtMs: null }) });
    expect(await refusal(byKey)).toMatchObject({ code: 'UNAUTHORIZED', error: { detail: 'Session required' } });
    using inAddress = await openEventStream(
      `${url}?connectionParams=${encodeURIComponent(JSON.stringify({ token: session.token }))}`,
    );
    expect(await refusal(inAddress)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('passes proxies unchanged, and tells browsers when to reconnect', async () => {
    const { session } = await setUp();
    using stream = await session.live();
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(await stream.next()).toMatchObject({ event: 'connected', data: { reconnectAfterInactivityMs: 25_000 } });
  });

  it.concurrent('ends within seconds when its session does, whichever process ended it', async () => {
    const { org, session } = await setUp();
    const removed = await world.session(org.orgId);
    using first = await opened(session);
    using second = await opened(removed);
    await world.db.session.update({ where: { id: session.sessionId }, data: { revokedAt: new Date() } });
    await world.db.membership.delete({ where: { orgId_userId: { orgId: org.orgId, userId: removed.userId } } });
    for (const stream of [first, second]) {
      expect(await refusal(stream)).toMatchObject({
        code: 'UNAUTHORIZED',
        error: { type: 'unauthorized', detail: 'Invalid or expired token' },
      });
      expect(await stream.ended()).toBe('complete');
    }
  });

  it.concurrent('ends when its access token does, and goes on with the next one', async () => {
    const { org, asset, session, read } = await setUp();
    const late = createIdentity({
      db: world.db,
      log: world.log,
      settings: { authSecret, environment: world.settings.environment },
      now: () => Date.now() - 15 * 60_000 + 1500,
    });
    const token = await late.signSession({ id: session.sessionId, userId: session.userId, orgId: org.orgId });
    using stream = await opened(session, { token });
    expect(await refusal(stream)).toMatchObject({ code: 'UNAUTHORIZED' });
    await read();
    using next = await session.live({ lastEventId: stream.lastEventId() ?? '' });
    expect(await nextMoved(next)).toMatchObject([{ asset_id: asset }]);
  });

  it('is one of at most twenty of a person', async () => {
    const { org, session } = await setUp();
    const streams = await Promise.all(Array.from({ length: 20 }, () => opened(session)));
    using refused = await session.live();
    expect(await refusal(refused)).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      error: { type: 'rate_limited', detail: 'A person may have 20 live streams open; close one or come back later' },
    });
    using other = await opened(await world.session(org.orgId));
    expect(other.status).toBe(200);
    const { text } = await createClient(world.url).get('/metrics');
    expect(Number(/^whereabouts_live_streams (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(21);
    for (const stream of streams) stream.close();
    // One is free again once the service has noticed that the others are gone.
    for (;;) {
      using again = await session.live();
      await again.next();
      if ((await again.next())?.event === 'message') break;
    }
  });

  it('does not hold the service up when it stops, and asks to be opened elsewhere', async () => {
    const { session } = await setUp();
    const { url, close } = await world.another();
    using idle = await opened(session, { url });
    using paused = await opened(session, { url });
    paused.pause();
    const begunMs = performance.now();
    await close();
    expect(performance.now() - begunMs).toBeLessThan(1000);
    expect(await idle.ended()).toBe('broken off');
    expect(await idle.next()).toBeUndefined();
  });
});
