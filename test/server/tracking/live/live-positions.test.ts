import pg from 'pg';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { createLivePositions, type LivePositions } from '../../../../server/tracking/live/live-positions.js';
import { createLog } from '../../../../server/kernel/log.js';
import { addMember, addOrganization, createCaller, createServicesWorld } from '../../../support/caller.js';
import { createFreezableProxy } from '../../../support/freezable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.js';
import { freePort } from '../../../support/program.js';

const log = createLog('silent');
const timing = { cursorEveryMs: 40, silenceMaxMs: 10_000, retryMinMs: 5, retryMaxMs: 20 };
const someone = { orgId: 1, userId: 1 };
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

let database: TestDatabase;
let announcer: pg.Client;
/** The database that positions are read from; it returns every requested asset, unless it is unavailable. */
let asked: number[][];
let isUnavailable: boolean;
let live: LivePositions;
let leaving: AbortController;

beforeAll(async () => {
  database = await createTestDatabase();
  announcer = new pg.Client({ connectionString: database.url });
  await announcer.connect();
});

afterAll(async () => {
  await announcer.end();
  await database[Symbol.asyncDispose]();
});

const db = {
  async $queryRaw(_: TemplateStringsArray, ...values: unknown[]) {
    if (isUnavailable) throw new Error('the database is unavailable');
    const assetIds = values.find((value) => Array.isArray(value)) as number[];
    asked.push(assetIds);
    return assetIds.map((asset_id) => ({ asset_id, asset_last_seen: 0, located_since: 0 }));
  },
} as never;

beforeEach(() => {
  asked = [];
  isUnavailable = false;
  leaving = new AbortController();
  live = createLivePositions({ databaseUrl: database.url, databaseOf: () => db, log, timing });
});

afterEach(async () => {
  await live.stop();
});

const announce = (orgId: number, assetIds: readonly number[]) =>
  announcer.query("SELECT pg_notify('whereabouts_positions', $1)", [`${orgId}:${assetIds.join(',')}`]);

const follow = (after?: string) => live.follow(someone, { after, signal: leaving.signal });

/** A stream that has begun, and the cursor it has. */
async function begun(stream = follow()) {
  const { value } = await stream.next();
  expect(value?.item).toEqual({ kind: 'ready' });
  return { stream, cursor: value?.cursor ?? '' };
}

/** How many positions the next item of a stream has, or its kind, and its cursor. */
async function summaryOf(stream: ReturnType<typeof follow>) {
  const { value } = await stream.next();
  if (!value) return undefined;
  const { cursor, item } = value;
  return { cursor, content: item.kind === 'positions' ? item.positions.length : item.kind };
}

/** Resolves once earlier announcements have been received. */
async function catchUp(stream: ReturnType<typeof follow>): Promise<void> {
  await announce(1, [999_999]);
  while (!asked.flat().includes(999_999)) await stream.next();
}

async function connections(): Promise<number> {
  const { rows } = await announcer.query<{ n: number }>(`
    SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'whereabouts live'`);
  return rows[0]?.n ?? 0;
}

describe('what was missed', () => {
  it('is sent in parts; only the last part has the new cursor', async () => {
    const { stream, cursor } = await begun();
    for (const first of [1, 401, 801]) await announce(1, range(first, first + 399));
    await announce(2, range(5000, 5100));
    await catchUp(stream);
    const back = follow(cursor);
    const items = [await summaryOf(back), await summaryOf(back), await summaryOf(back)];
    expect(items.map((item) => item?.content)).toEqual([500, 500, 201]);
    expect(items.map((item) => item?.cursor === cursor)).toEqual([true, true, false]);
  });

  it('is a resync where it is much', async () => {
    const { stream, cursor } = await begun();
    for (const first of range(0, 5).map((n) => n * 400)) await announce(1, range(first + 1, first + 400));
    await catchUp(stream);
    const back = await summaryOf(follow(cursor));
    expect(back?.content).toBe('resync');
    expect(back?.cursor).not.toBe(cursor);
  });

  it('is a resync where it cannot be read', async () => {
    const { stream, cursor } = await begun();
    await catchUp(stream);
    isUnavailable = true;
    expect((await summaryOf(follow(cursor)))?.content).toBe('resync');
  });
});

describe('the connection that listens', () => {
  it('is there while somebody subscribes, one for all, and gone when the service stops', async () => {
    // The server notices the end of the connections of earlier tests a moment later.
    while ((await connections()) > 0);
    expect(live.stats()).toEqual({ streams: 0, organizations: 0, listening: 0, overflows: 0 });
    await Promise.all([begun(), begun(), begun()]);
    expect(live.stats()).toEqual({ streams: 3, organizations: 1, listening: 1, overflows: 0 });
    expect(await connections()).toBe(1);
    await live.stop();
    while ((await connections()) > 0);
    expect(live.stats().listening).toBe(0);
  });

  it('is waited for: a stream sends nothing before it is available', async () => {
    const url = new URL(database.url);
    const target = { host: url.hostname, port: Number(url.port) };
    const at = await freePort();
    url.hostname = '127.0.0.1';
    url.port = String(at);
    const later = createLivePositions({ databaseUrl: url.href, databaseOf: () => db, log, timing });
    const stream = later.follow(someone, { after: undefined, signal: leaving.signal });
    let hasBegun = false;
    const first = stream.next().then(({ value }) => {
      hasBegun = true;
      return value;
    });
    // Another one that waits just as long can leave.
    const impatient = new AbortController();
    const second = later.follow(someone, { after: undefined, signal: impatient.signal }).next();
    impatient.abort();
    expect((await second).done).toBe(true);
    expect([hasBegun, later.stats().streams]).toEqual([false, 1]);
    const again = await createFreezableProxy({ ...target, at });
    expect((await first)?.item).toEqual({ kind: 'ready' });
    await later.stop();
    await again[Symbol.asyncDispose]();
  });
});

describe('a stream', () => {
  it('ends when its subscriber leaves, and leaves nothing behind', async () => {
    const { stream } = await begun();
    const next = stream.next();
    leaving.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(live.stats()).toMatchObject({ streams: 0, organizations: 0 });
  });

  it('that the stopping service ends is no orderly end, so that its client comes back', async () => {
    await using world = await createServicesWorld();
    const { actor } = await addMember(world, await addOrganization(world), 'viewer');
    const items = (await createCaller(world.services, actor).scans.live())[Symbol.asyncIterator]();
    await items.next();
    const next = items.next();
    await world.services.livePositions.stop();
    await expect(next).rejects.toMatchObject({ name: 'AbortError' });
  });
});
