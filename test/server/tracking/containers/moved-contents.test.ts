import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { statementTexts } from '../../../../server/kernel/database/statement.js';
import { settleTask } from '../../../../server/tracking/scans/contents-queries.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { createSettleTask } from '../../../../server/tracking/containers/settle.js';
import { query } from '../../../support/postgres.js';
import { sharedScanWorld, type TestReader } from '../../../support/scan-world.js';
import { baseMs, iso, message, read } from '../scans/tag-reads.js';
import { createHospital } from './hospital.js';

// What reads by fixed readers do with containers and what is in them. One read moves an asset here. Everything happens yesterday.

const world = await sharedScanWorld();

const second = 1000;
const minute = 60 * second;

const settling = createSettleTask({ db: world.db, interests: { wants: () => true } });

type Options = { boxes?: number; rule?: 'newest' | 'evidence' };

/** A read of a tag at a location, so many milliseconds after the beginning. */
type Heard = { location: number; afterMs: number; value: string; rssiDbm?: number };

async function setUp({ rule = 'newest', ...options }: Options = {}) {
  const hospital = await createHospital(world, options);
  const { org, cart, ward, store, dock, operator } = hospital;
  const readers = new Map<number, TestReader>();
  for (const location of [ward, store, dock]) {
    readers.set(location, await org.reader({ location_id: location, resolution_seconds: 60, location_rule: rule }));
  }
  /** Stores reads in one batch. */
  async function readAll(heard: readonly Heard[]) {
    const messages = heard.map(({ location, afterMs, value, rssiDbm = -50 }) => {
      const reader = readers.get(location);
      if (!reader) throw new Error('no reader there');
      const observedAtMs = baseMs + afterMs;
      return message({ org, reader }, [read({ value, observedAtMs, rssiDbm })], observedAtMs);
    });
    await ingestReads(world.connections, messages, { retentionDays: 365, waitForTrees: true });
  }
  return {
    ...hospital,
    /** Puts assets in as if somebody had done so two days ago. */
    async putInBefore(containerId: number, ...assetIds: number[]) {
      await hospital.putIn(containerId, ...assetIds);
      const since = `UPDATE asset_containments SET since = now() - interval '2 days' WHERE org_id = ${org.orgId}`;
      await query(world.databaseUrl, since);
    },
    readAll,
    /** Reads tags at a location, so many milliseconds after the beginning, in one batch. */
    readAt: (location: number, afterMs: number, ...values: string[]) =>
      readAll(values.map((value) => ({ location, afterMs, value }))),
    settle: () => settling[settleTask]?.({ org_id: org.orgId, container_id: cart }, new AbortController().signal),
    async pastOf(assetId: number) {
      const { data } = await operator.containers.past({ asset_id: assetId });
      return data.map(({ container, until, ended_by }) => [container.name, until, ended_by]);
    },
    async visitsOf(assetId: number) {
      const { data } = await operator.assets.visits({ asset_id: assetId });
      return data.map(({ location, arrived_at: at }) => [location?.id, at]).reverse();
    },
  };
}

it('moves what is in a container when a reader reads the container elsewhere', async () => {
  const { org, putInBefore, readAt, at, visitsOf, cart, boxes, ward, store } = await setUp();
  const [first = 0, second_ = 0, third = 0] = boxes;
  await putInBefore(cart, first, second_);
  await readAt(ward, 0, 'CA', 'B2');
  await readAt(store, 10 * minute, 'CA');
  expect(await at(cart, first, second_, third)).toEqual([store, store, store, undefined]);
  const visits = [
    [ward, iso(baseMs)],
    [store, iso(baseMs + 10 * minute)],
  ];
  expect([await visitsOf(first), await visitsOf(second_)]).toEqual([visits, visits]);
  const events = await org.events(first);
  expect(events.map(({ location_id: id, reader_id: readerId }) => [id, readerId])).toEqual([
    [ward, null],
    [store, null],
  ]);
});

it('brings contents back with a container that comes back, and keeps them when it moves twice within a minute', async () => {
  const { putInBefore, readAt, at, visitsOf, cart, boxes, ward, store, dock, inside } = await setUp();
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  await readAt(ward, 0, 'CA');
  await readAt(store, 20 * second, 'CA');
  await readAt(dock, 40 * second, 'CA');
  await readAt(ward, 60 * second, 'CA');
  expect(await at(cart, first)).toEqual([ward, ward]);
  expect((await visitsOf(first)).map(([location]) => location)).toEqual([ward, store, dock, ward]);
  expect(await inside(cart)).toEqual(['Box 1']);
});

it('has an event of its contents for each move of a container in one batch', async () => {
  const { putInBefore, readAll, visitsOf, cart, boxes, ward, store, dock } = await setUp();
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  const stops = [ward, store, dock, ward];
  await readAll(stops.map((location, index) => ({ location, afterMs: 20 * index * second, value: 'CA' })));
  const visits = stops.map((location, index) => [location, iso(baseMs + 20 * index * second)]);
  expect([await visitsOf(cart), await visitsOf(first)]).toEqual([visits, visits]);
});

it('takes the last ten moves of a container that moves more often in one batch', async () => {
  const { putInBefore, readAll, visitsOf, at, cart, boxes, ward, store } = await setUp();
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  const stops = Array.from({ length: 15 }, (_, index) => (index % 2 === 0 ? ward : store));
  await readAll(stops.map((location, index) => ({ location, afterMs: index * second, value: 'CA' })));
  expect(await at(cart, first)).toEqual([ward, ward]);
  expect((await visitsOf(first)).map(([location]) => location)).toEqual(stops.slice(-10));
});

it('moves what is in a container in a container with one read', async () => {
  const { putInBefore, readAt, at, cart, boxes, ward, store } = await setUp();
  const [pallet = 0, box = 0] = boxes;
  await putInBefore(pallet, cart);
  await putInBefore(cart, box);
  await readAt(ward, 0, 'B1');
  expect(await at(pallet, cart, box)).toEqual([ward, ward, ward]);
  await readAt(store, minute, 'CA');
  expect(await at(pallet, cart, box)).toEqual([ward, store, store]);
});

it('moves 1,000 assets with one read of their container', async () => {
  const { org, readAt, cart, ward, store, operator } = await setUp({ boxes: 0 });
  await query(
    world.databaseUrl,
    `WITH made AS (
       INSERT INTO assets (org_id, external_key, name, is_active, valid_from, created_at, updated_at)
       SELECT ${org.orgId}, 'FILLING-' || n, 'Filling', true, now(), now(), now() FROM generate_series(1, 1000) n
       RETURNING id
     )
     INSERT INTO asset_containments (org_id, asset_id, container_id, since)
     SELECT ${org.orgId}, id, ${cart}, now() - interval '2 days' FROM made`,
  );
  for (const [index, location] of [ward, store].entries()) {
    await readAt(location, index * minute, 'CA');
    const { data } = await operator.visits.counts({ at: iso(baseMs + index * minute) });
    expect(data.filter((row) => row.location_id === location).map((row) => row.assets_here)).toEqual([1001]);
  }
});

it('costs no statement where nothing is in a container, and none for reads of a container that stays', async () => {
  const { putInBefore, readAt, cart, boxes, ward } = await setUp();
  const texts: string[] = [];
  const note = (text: unknown) => texts.push(String(text));
  const about = async (work: () => Promise<void>) => {
    texts.length = 0;
    await work();
    return texts.filter((text) => text.includes('asset_containments') && !text.includes('reader_antennas')).length;
  };
  subscribe(statementTexts.name, note);
  try {
    for (const atMs of [0, minute]) expect(await about(() => readAt(ward, atMs, 'CA', 'B1'))).toBe(0);
    await putInBefore(cart, boxes[0] ?? 0);
    expect(await about(() => readAt(ward, 2 * minute, 'CA'))).toBe(0);
  } finally {
    unsubscribe(statementTexts.name, note);
  }
});

it('stores one event of an asset that is read with its container, its own', async () => {
  const { org, putInBefore, readAt, at, cart, boxes, ward, store } = await setUp();
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  await readAt(ward, 0, 'CA', 'B1');
  await readAt(store, minute, 'CA', 'B1');
  expect(await at(cart, first)).toEqual([store, store]);
  const events = await org.events(first);
  expect(events.map(({ location_id: id, reader_id: readerId }) => [id, readerId !== null])).toEqual([
    [ward, true],
    [store, true],
  ]);
});

it('takes out what is left behind, when the container left', async () => {
  const { org, putInBefore, readAt, at, settle, pastOf, inside, cart, boxes, dock, store } = await setUp();
  const [first = 0, left = 0] = boxes;
  await putInBefore(cart, first, left);
  await readAt(dock, 0, 'CA', 'B1', 'B2');
  await readAt(dock, 61 * second, 'B2');
  // The reads of the container come later than those of what was left.
  await readAt(store, minute, 'CA');
  expect(await at(cart, first, left)).toEqual([store, store, dock]);
  await settle();
  // Too early to say.
  expect(await inside(cart)).toEqual(['Box 1', 'Box 2']);
  await readAt(store, 2 * minute, 'CA');
  await readAt(dock, 2 * minute, 'B2');
  await settle();
  expect(await inside(cart)).toEqual(['Box 1']);
  expect(await pastOf(left)).toEqual([['Cart 7', iso(baseMs + minute), 'reads']]);
  expect(await pastOf(first)).toEqual([['Cart 7', null, null]]);
  const { data } = await org.admin.activity.list({ kind: 'asset', object_id: String(left) });
  expect(data[0]).toMatchObject({
    action: 'taken_out',
    entry_point: 'system',
    actor: null,
    before: { container: 'Cart 7 (CART-7)' },
  });
  // From then on it no longer moves with the container.
  await readAt(dock, 3 * minute, 'CA');
  await readAt(store, 4 * minute, 'CA');
  expect(await at(cart, first, left)).toEqual([store, store, dock]);
});

it('brings an asset to its container that was deleted while the container moved, and is restored', async () => {
  const { org, putInBefore, readAt, at, settle, inside, cart, boxes, dock, store } = await setUp();
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  await readAt(dock, 0, 'CA');
  await org.admin.assets.delete({ asset_id: first });
  await readAt(store, 10 * minute, 'CA');
  await org.admin.trash.restore({ asset_ids: [first] });
  expect(await at(cart, first)).toEqual([store, dock]);
  const waiting = await query<{ key: string }>(
    world.databaseUrl,
    `SELECT key FROM graphile_worker.jobs WHERE key = '${settleTask}:${cart}'`,
  );
  expect(waiting).toHaveLength(1);
  await settle();
  expect([await at(cart, first), await inside(cart)]).toEqual([[store, store], ['Box 1']]);
});

it('brings an asset along late that a stray read had held back', async () => {
  const { putInBefore, readAt, at, settle, inside, cart, boxes, dock, store } = await setUp();
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  await readAt(dock, 0, 'CA', 'B1');
  await readAt(dock, 62 * second, 'B1');
  await readAt(store, minute, 'CA');
  expect(await at(cart, first)).toEqual([store, dock]);
  await readAt(store, 2 * minute, 'CA');
  await settle();
  expect([await at(cart, first), await inside(cart)]).toEqual([[store, store], ['Box 1']]);
});

it('shows an asset where it is read, still in a container that was not read since, and takes it out once it is', async () => {
  const { operator, putInBefore, readAt, at, settle, pastOf, inside, cart, boxes, dock, store } = await setUp();
  const [first = 0, other = 0] = boxes;
  await putInBefore(cart, first, other);
  await readAt(dock, 0, 'CA', 'B1');
  await readAt(store, 5 * minute, 'B1');
  await settle();
  expect([await at(cart, first, other), await inside(cart)]).toEqual([
    [dock, store, dock],
    ['Box 1', 'Box 2'],
  ]);
  const summary = await operator.containers.summary({ asset_id: cart });
  expect(summary.elsewhere).toEqual([{ location: { id: store, name: 'Store' }, count: 1 }]);
  const { data } = await operator.containers.contents({ container_id: cart });
  expect(data.map(({ name, is_elsewhere }) => [name, is_elsewhere])).toEqual([
    ['Box 1', true],
    ['Box 2', false],
  ]);
  await readAt(dock, 7 * minute, 'CA');
  await settle();
  expect(await pastOf(first)).toEqual([['Cart 7', iso(baseMs + 5 * minute), 'reads']]);
  expect(await inside(cart)).toEqual(['Box 2']);
});

it.each([
  ['lets an asset in its container while both are heard at both locations alike', -57, ['Box 1']],
  ['takes an asset out that is heard much louder elsewhere than its container', -75, []],
])('%s', async (_, otherDbm, expected) => {
  const { putInBefore, readAll, at, settle, inside, cart, boxes, dock, store } = await setUp({ rule: 'evidence' });
  const [first = 0] = boxes;
  await putInBefore(cart, first);
  for (let atMs = 0; atMs <= 3 * minute; atMs += second) {
    const own = atMs < 10 * second ? dock : store;
    const other = own === dock ? store : dock;
    await readAll([
      { location: dock, afterMs: atMs, value: 'CA' },
      { location: store, afterMs: atMs + 100, value: 'CA', rssiDbm: otherDbm },
      { location: own, afterMs: atMs + 200, value: 'B1' },
      { location: other, afterMs: atMs + 300, value: 'B1', rssiDbm: otherDbm },
    ]);
  }
  expect(await at(cart, first)).toEqual([dock, store]);
  await settle();
  expect(await inside(cart)).toEqual(expected);
});

it('is where its boxes are if the container has no tag', async () => {
  const { operator, putInBefore, readAt, at, settle, cart, boxes, dock, store, inside } = await setUp({ boxes: 4 });
  const [first = 0, other = 0, third = 0, unread = 0] = boxes;
  await putInBefore(cart, ...boxes);
  await readAt(dock, 0, 'B1', 'B2', 'B3');
  await settle();
  expect(await at(cart, unread)).toEqual([dock, dock]);
  await readAt(store, minute, 'B1', 'B2');
  await settle();
  expect(await at(cart, first, other, third, unread)).toEqual([store, store, store, store, store]);
  expect(await inside(cart)).toHaveLength(4);
  const evidence = await operator.assets.evidence({ asset_id: cart });
  expect(evidence).toMatchObject({ location_id: store, reason: { code: 'with_contents' } });
  const { position } = await operator.assets.detail({ asset_id: cart });
  expect(position?.placement).toMatchObject({ with_contents: true, seen_before: position?.asset_last_seen });
});

it('follows most of its boxes if the container is no longer read, and not a single one', async () => {
  const { putInBefore, readAt, at, settle, cart, boxes, dock, store } = await setUp();
  const [first = 0, other = 0, third = 0] = boxes;
  await putInBefore(cart, ...boxes);
  await readAt(dock, 0, 'CA', 'B1', 'B2', 'B3');
  await readAt(store, 20 * minute, 'B1');
  await settle();
  expect(await at(cart, first, other, third)).toEqual([dock, store, dock, dock]);
  await readAt(store, 21 * minute, 'B2');
  await settle();
  expect(await at(cart, first, other, third)).toEqual([store, store, store, store]);
});

it('leaves an asset where a person has scanned it, and takes it out once somebody scans the container elsewhere', async () => {
  const { operator, putIn, scan, at, pastOf, inside, settle, cart, boxes, ward, dock } = await setUp();
  const [first = 0, other = 0] = boxes;
  await scan(ward, cart);
  await putIn(cart, first, other);
  await scan(dock, first);
  await settle();
  expect([await at(cart, first), await inside(cart)]).toEqual([
    [ward, dock],
    ['Box 1', 'Box 2'],
  ]);
  await scan(ward, cart);
  await settle();
  expect([await at(cart, first), await inside(cart)]).toEqual([[ward, dock], ['Box 2']]);
  expect((await pastOf(first)).map(([, , endedBy]) => endedBy)).toEqual(['reads']);
  expect((await operator.containers.past({ asset_id: first })).data[0]?.taken_out_by).toBeNull();
});

it('tells a rule and the alerts of people what has left its container', async () => {
  const { org, putInBefore, readAt, settle, cart, boxes, dock, store } = await setUp();
  await org.admin.alertRules.create({ name: 'Left', event_type: 'asset.left_container' });
  await putInBefore(cart, boxes[0] ?? 0);
  await readAt(dock, 0, 'CA', 'B1');
  await readAt(store, minute, 'CA', 'B1');
  await readAt(dock, 2 * minute, 'B1');
  await readAt(store, 4 * minute, 'CA');
  await settle();
  await expect.poll(async () => (await org.admin.alerts.list({})).data.length).toBe(1);
  const [alert] = (await org.admin.alerts.list({})).data;
  expect(alert).toMatchObject({
    event_type: 'asset.left_container',
    data: {
      asset: { name: 'Box 1' },
      location: { name: 'Dock' },
      container: { name: 'Cart 7' },
      container_location: { name: 'Store' },
    },
  });
});
