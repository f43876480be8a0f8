import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import type { LivePosition } from '../../../../server/tracking/live/items.js';
import { openEventStream } from '../../../support/event-stream.js';
import { createLiveWorld } from '../../../support/live-world.js';
import { createFixture, nextItem, nextMoved, nextPositions, opened } from './live-stream.js';
import { fileWorld } from '../../../support/shared.js';

const world = fileWorld(createLiveWorld);

const setUp = () => createFixture(world);

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
      kind_id: null,
      kind_color: null,
      location_id: dock,
      location_external_key: expect.any(String),
      location_name: 'A thing',
      from_location_id: null,
      from_location_name: null,
      asset_last_seen: stored?.at,
      located_since: stored?.at,
      placement: null,
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
    const received: LivePosition[][] = [];
    for (const [index, location] of [dock, dock, shelf].entries()) {
      await submit(location, times[index] ?? '');
      received.push(await nextPositions(stream));
    }
    expect(received.flat().map(({ located_since }) => located_since)).toEqual([times[0], times[0], times[2]]);
    // Reads that do not advance the position are not sent.
    await submit(dock, times[0] ?? '');
    await submit(shelf, new Date().toISOString());
    expect(await nextPositions(stream)).toMatchObject([{ location_id: shelf, located_since: times[2] }]);
  });

  it('sends what is put into a container and taken out, also of assets that were never seen, and again after a reconnect', async () => {
    const { org, session } = await setUp();
    const [cart, box] = [await org.asset({ name: 'Cart' }), await org.asset({ name: 'Box' })];
    using stream = await opened(session);
    const putIn = () => org.admin.containers.putIn({ container_id: cart, asset_ids: [box] });
    await putIn();
    const item = await nextItem(stream);
    const lastEventId = stream.lastEventId() ?? '';
    const inside = [
      { asset_id: cart, containers: [] },
      { asset_id: box, containers: [{ id: cart, name: 'Cart', external_key: expect.any(String) }] },
    ];
    expect(item).toEqual({ kind: 'positions', positions: [], contained: inside });
    await org.admin.containers.takeOut({ asset_ids: [box] });
    const outside = inside.map((asset) => ({ ...asset, containers: [] }));
    expect(await nextItem(stream)).toMatchObject({ contained: outside });
    await putIn();
    await nextItem(stream);
    using resumed = await session.live({ lastEventId });
    expect(await nextItem(resumed)).toMatchObject({ contained: inside });
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
      await tx.$executeRaw`UPDATE assets SET deleted_at = ${now} WHERE id = ${asset}`;
      await tx.$queryRaw`SELECT pg_notify('whereabouts_positions', ${`${org.orgId}:${asset}`})::text`;
    });
    await read('E280FF');
    expect(await nextPositions(stream)).toMatchObject([{ asset_id: expired }]);
  });

  it('misses nothing between its first item and what is requested after it', async () => {
    const { org, session, read } = await setUp();
    const tags = Array.from({ length: 40 }, (_, n) => `AB${String(n).padStart(4, '0')}`);
    for (const tag of tags) await org.asset({ tags: [['rfid', tag]] });
    let isShown = false;
    const reading = (async () => {
      const readAll = async () => {
        for (const tag of tags) await read(tag);
      };
      while (!isShown) await readAll();
      await readAll();
    })();
    const shown = new Map<number, string>();
    using stream = await opened(session);
    for (const { asset_id, at } of await org.positions()) shown.set(asset_id, at);
    isShown = true;
    await reading;
    const truth = new Map((await org.positions()).map(({ asset_id, at }) => [asset_id, at]));
    for (;;) {
      if ([...truth].every(([id, at]) => shown.get(id) === at)) break;
      for (const { asset_id, asset_last_seen } of await nextPositions(stream)) shown.set(asset_id, asset_last_seen);
    }
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
