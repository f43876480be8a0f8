import { setTimeout } from 'node:timers/promises';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { removeOldContainments } from '../../../../server/tracking/containers/old-containments.js';
import { refusalOf } from '../../../support/caller.js';
import { query } from '../../../support/postgres.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { createHospital } from './hospital.js';

// Assets in assets, as people put them in and take them out. What reads do is tested in `moved-contents.test.ts`.

const world = await sharedScanWorld();

it('places what is put into a container where the container is, and takes it along', async () => {
  const { org, operator, scan, putIn, at, inside, cart, boxes, ward, store } = await createHospital(world);
  const [first = 0, second = 0, third = 0] = boxes;
  await scan(ward, cart);
  await scan(store, second);
  expect(await putIn(cart, first, second)).toEqual([
    { asset_id: first, status: 'done', was_in: null, from: null },
    { asset_id: second, status: 'done', was_in: null, from: { id: store, name: 'Store' } },
  ]);
  expect(await at(first, second, third)).toEqual([ward, ward, undefined]);
  await scan(store, cart);
  expect(await at(cart, first, second)).toEqual([store, store, store]);
  expect(await inside(cart)).toEqual(['Box 1', 'Box 2']);
  const { position, containers } = await operator.assets.detail({ asset_id: first });
  expect(containers).toEqual([{ id: cart, name: 'Cart 7', external_key: 'CART-7' }]);
  expect(position).toMatchObject({
    location: { id: store },
    placement: { container: { id: cart, name: 'Cart 7' }, seen_before: expect.any(String), with_contents: false },
  });
  const evidence = await operator.assets.evidence({ asset_id: second });
  expect(evidence).toMatchObject({
    reason: { code: 'with_container', other_location_name: 'Ward 3A' },
    location_id: store,
  });
  expect(evidence.placement).toMatchObject({ container: { name: 'Cart 7' } });
  // A reader of the public history sees each move of the container.
  const history = await org.admin.assets.history({ asset_id: first, sort: undefined });
  expect(history.data.map(({ location_id: id }) => id)).toEqual([store, ward]);
});

it('leaves what is taken out where it is, and says since when it was in what', async () => {
  const { operator, scan, putIn, at, inside, cart, boxes, ward, store } = await createHospital(world);
  const [first = 0, second = 0] = boxes;
  await scan(ward, cart);
  await putIn(cart, first, second);
  const beforeMs = Date.now();
  await setTimeout(2);
  const { results } = await operator.containers.takeOut({ asset_ids: [first, cart] });
  expect(results).toEqual([
    { asset_id: first, status: 'done', was_in: { id: cart, name: 'Cart 7', external_key: 'CART-7' } },
    { asset_id: cart, status: 'failed', reason: 'not_contained' },
  ]);
  await scan(store, cart);
  expect(await at(first, second)).toEqual([ward, store]);
  expect(await inside(cart)).toEqual(['Box 2']);
  const then = await operator.containers.at({ container_id: cart, at: new Date(beforeMs).toISOString() });
  expect(then.data).toMatchObject([
    { name: 'Box 1', ended_by: 'person' },
    { name: 'Box 2', until: null, ended_by: null },
  ]);
  const past = await operator.containers.past({ asset_id: first });
  expect(past).toMatchObject({
    total_count: 1,
    data: [{ container: { name: 'Cart 7', is_deleted: false }, ended_by: 'person' }],
  });
  expect(past.data[0]?.taken_out_by?.id).toBe(past.data[0]?.put_in_by?.id);
  const present = await operator.visits.assets({ at: new Date(beforeMs).toISOString(), location_id: ward });
  expect(present.data.map(({ name, containers }) => [name, containers.map((one) => one.name)])).toEqual([
    ['Box 1', ['Cart 7']],
    ['Box 2', ['Cart 7']],
    ['Cart 7', []],
  ]);
});

it('moves what is in a container in a container, at most four levels deep and never in a circle', async () => {
  const { org, operator, scan, putIn, at, cart, boxes, ward, store } = await createHospital(world, { boxes: 5 });
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = boxes;
  await putIn(one, cart);
  await putIn(two, one);
  await putIn(three, two);
  expect(await putIn(four, three)).toMatchObject([{ status: 'done' }]);
  expect(await putIn(five, four)).toMatchObject([{ status: 'failed', reason: 'too_deep' }]);
  expect(await putIn(cart, five)).toMatchObject([{ status: 'failed', reason: 'too_deep' }]);
  expect(await putIn(cart, four)).toMatchObject([{ status: 'failed', reason: 'in_itself' }]);
  expect(await putIn(cart, cart)).toMatchObject([{ status: 'failed', reason: 'in_itself' }]);
  await scan(ward, four);
  expect(await at(four, three, two, one, cart)).toEqual([ward, ward, ward, ward, ward]);
  const { containers } = await operator.assets.detail({ asset_id: cart });
  expect(containers.map(({ name }) => name)).toEqual(['Box 1', 'Box 2', 'Box 3', 'Box 4']);
  // A container in a container that is moved by itself takes along what is in it, and stays in its own.
  await scan(store, two);
  expect(await at(four, three, two, one, cart)).toEqual([ward, ward, store, store, store]);
  const { data } = await org.admin.assets.many({ ids: [two] });
  expect(data[0]?.containers.map(({ name }) => name)).toEqual(['Box 3', 'Box 4']);
});

it('holds at most 1,000 assets', async () => {
  const { org, putIn, cart, boxes } = await createHospital(world, { boxes: 2 });
  await query(
    world.databaseUrl,
    `WITH made AS (
       INSERT INTO assets (org_id, external_key, name, is_active, valid_from, created_at, updated_at)
       SELECT ${org.orgId}, 'FILLING-' || n, 'Filling', true, now(), now(), now() FROM generate_series(1, 999) n
       RETURNING id
     )
     INSERT INTO asset_containments (org_id, asset_id, container_id, since) SELECT ${org.orgId}, id, ${cart}, now() FROM made`,
  );
  expect(await putIn(cart, ...boxes)).toMatchObject([
    { status: 'done' },
    { status: 'failed', reason: 'container_full' },
  ]);
});

it('lets the database decide when two people put two containers into each other', async () => {
  const { operator, putIn, boxes } = await createHospital(world, { boxes: 20 });
  const pairs = Array.from({ length: 10 }, (_, index) => [boxes[2 * index] ?? 0, boxes[2 * index + 1] ?? 0] as const);
  for (const [one, other] of pairs) {
    const both = (await Promise.all([putIn(one, other), putIn(other, one)])).flat();
    expect(both.map((result) => (result.status === 'failed' ? result.reason : result.status)).sort()).toEqual([
      'done',
      'in_itself',
    ]);
  }
  // Into two others at once: it is in one of them.
  const [content = 0, one = 0, , other = 0] = boxes;
  await operator.containers.takeOut({ asset_ids: [content, one] });
  await Promise.all([putIn(one, content), putIn(other, content)]);
  const { containers } = await operator.assets.detail({ asset_id: content });
  expect([one, other]).toContain(containers[0]?.id);
});

it('leaves contents of a deleted container where they are, and takes them back once it is restored', async () => {
  const { org, operator, scan, putIn, at, inside, cart, boxes, ward, store } = await createHospital(world);
  const [first = 0, second = 0, third = 0] = boxes;
  await scan(ward, cart);
  await putIn(cart, first, second);
  const beforeMs = Date.now();
  await setTimeout(2);
  await org.admin.assets.delete({ asset_id: cart });
  expect(await at(first, second)).toEqual([ward, ward]);
  const { containers } = await operator.assets.detail({ asset_id: first });
  expect(containers).toEqual([]);
  const past = await operator.containers.past({ asset_id: first });
  expect(past.data).toMatchObject([{ container: { is_deleted: true }, ended_by: 'deletion' }]);
  const then = await operator.containers.at({ container_id: cart, at: new Date(beforeMs).toISOString() });
  expect(then.data.map(({ ended_by }) => ended_by)).toEqual(['deletion', 'deletion']);
  const since = await operator.containers.at({ container_id: cart, at: new Date().toISOString() });
  expect(since.data).toEqual([]);
  // Somebody puts one of them elsewhere meanwhile.
  await putIn(third, second);
  await org.admin.trash.restore({ asset_ids: [cart] });
  expect(await inside(cart)).toEqual(['Box 1']);
  expect(await inside(third)).toEqual(['Box 2']);
  await scan(store, cart);
  expect(await at(first, second)).toEqual([store, ward]);
  const later = await operator.containers.past({ asset_id: second });
  expect(later.data.map(({ ended_by }) => ended_by)).toEqual([null, 'deletion']);
});

it('is in no circle after a container was deleted, put into its content, and restored', async () => {
  const { org, putIn, inside, cart, boxes } = await createHospital(world);
  const [box = 0, pallet = 0] = boxes;
  await putIn(pallet, cart);
  await putIn(cart, box);
  await org.admin.assets.delete({ asset_id: cart });
  expect(await putIn(box, pallet)).toMatchObject([{ status: 'done' }]);
  await org.admin.trash.restore({ asset_ids: [cart] });
  expect([await inside(box), await inside(pallet), await inside(cart)]).toEqual([['Box 2'], ['Cart 7'], []]);
});

it('takes what a device scanned offline once, with the container scanned first or last', async () => {
  const { operator, scan, inside, at, cart, boxes, ward } = await createHospital(world);
  const [first = 0, second = 0, third = 0] = boxes;
  await scan(ward, cart);
  const submission = {
    submission_id: ulid(),
    container: { value: 'CA' },
    reads: [{ value: 'B1' }, { asset_id: second }, { value: 'nothing' }],
  };
  const answer = await operator.containers.submit(submission);
  expect(answer).toMatchObject({
    container: { id: cart, name: 'Cart 7' },
    results: [{ asset_id: first, status: 'done' }, { asset_id: second, status: 'done' }, { status: 'unknown' }],
  });
  expect(await operator.containers.submit({ ...submission, reads: [{ value: 'B3' }] })).toEqual(answer);
  expect(await inside(cart)).toEqual(['Box 1', 'Box 2']);
  expect(await at(first, second, third)).toEqual([ward, ward, undefined]);
  const missing = await operator.containers.submit({
    submission_id: ulid(),
    container: { value: 'no such cart' },
    reads: [{ value: 'B3' }],
  });
  expect(missing).toEqual({ container: null, results: [{ status: 'unknown' }] });
  const out = await operator.containers.submit({ submission_id: ulid(), container: null, reads: [{ value: 'B1' }] });
  expect(out).toMatchObject({ container: null, results: [{ asset_id: first, status: 'done', was_in: { id: cart } }] });
  expect(await inside(cart)).toEqual(['Box 2']);
});

it('places what is scanned after the tag of a location there, and neither puts it in nor takes it out', async () => {
  const { org, operator, scan, putIn, inside, at, cart, boxes, ward, store } = await createHospital(world, {
    boxes: 4,
  });
  const [first = 0, second = 0, third = 0, fourth = 0] = boxes;
  const other = await org.location({ name: 'Ward 4B', tags: [['barcode', 'LOC-4B']] });
  await scan(ward, cart);
  await scan(store, second);
  const submission = {
    submission_id: ulid(),
    container: { asset_id: cart },
    reads: [{ value: 'B1' }, { value: 'LOC-4B' }, { value: 'B2' }, { value: 'B1' }, { value: 'nobody' }],
  };
  const named = { id: other, name: 'Ward 4B' };
  const answer = await operator.containers.submit(submission);
  expect(answer.results).toEqual([
    { asset_id: first, status: 'done', was_in: null, from: null },
    { status: 'location', location: named },
    { status: 'placed', asset_id: second, from: { id: store, name: 'Store' }, at: named },
    { status: 'placed', asset_id: first, from: { id: ward, name: 'Ward 3A' }, at: named },
    { status: 'unknown' },
  ]);
  expect(await operator.containers.submit(submission)).toEqual(answer);
  expect(await at(first, second)).toEqual([other, other]);
  expect(await inside(cart)).toEqual(['Box 1']);
  // The next submission of the device begins with the tags of the one before.
  const after = { location_values: ['nobody', 'LOC-4B', 'B1'], reads: [{ value: 'B3' }] };
  const put = await operator.containers.submit({ submission_id: ulid(), container: { asset_id: cart }, ...after });
  expect(put.results).toEqual([{ status: 'placed', asset_id: third, at: named }]);
  await putIn(cart, fourth);
  const out = await operator.containers.submit({
    submission_id: ulid(),
    container: null,
    reads: [{ value: 'LOC-4B' }, { value: 'B4' }],
  });
  expect(out.results).toMatchObject([{ status: 'location' }, { status: 'placed', asset_id: fourth, at: named }]);
  expect(await at(third, fourth)).toEqual([other, other]);
  expect(await inside(cart)).toEqual(['Box 1', 'Box 4']);
});

it('lists the unknown values that were scanned into a container with the unknown tags', async () => {
  const { org, operator, cart } = await createHospital(world);
  await operator.containers.submit({
    submission_id: ulid(),
    container: { asset_id: cart },
    location_values: ['before'],
    reads: [{ value: 'nobody' }, { value: 'B1' }],
  });
  expect((await org.admin.scans.unknownTags()).data).toMatchObject([{ value: 'nobody', count: 1 }]);
});

it('does not let an old scan overrule what somebody did since', async () => {
  const { operator, putIn, inside, cart, boxes } = await createHospital(world);
  const [first = 0, pallet = 0] = boxes;
  await putIn(pallet, first);
  const nowMs = Date.now();
  const times = { observed_at: new Date(nowMs - 60_000).toISOString(), sent_at: new Date(nowMs).toISOString() };
  const late = { submission_id: ulid(), container: { asset_id: cart }, reads: [{ asset_id: first }], ...times };
  const { results } = await operator.containers.submit(late);
  expect(results).toEqual([{ asset_id: first, status: 'failed', reason: 'changed_since' }]);
  expect(await inside(pallet)).toEqual(['Box 1']);
  // A time before the retention of events is a wrong clock: the time of receipt counts.
  const wrong = { observed_at: '2001-01-01T00:00:00Z', sent_at: new Date(nowMs).toISOString() };
  await operator.containers.submit({ ...late, ...wrong, submission_id: ulid() });
  expect([await inside(pallet), await inside(cart)]).toEqual([[], ['Box 1']]);
});

it('takes back a put-in, unless somebody has put the asset elsewhere since', async () => {
  const { operator, putIn, inside, cart, boxes } = await createHospital(world, { boxes: 5 });
  const [first = 0, second = 0, third = 0, former = 0, other = 0] = boxes;
  await putIn(former, first);
  await putIn(cart, first, second, third);
  await putIn(other, third);
  const items = [
    { asset_id: first, was_in_id: former },
    { asset_id: second, was_in_id: null },
    { asset_id: third, was_in_id: null },
  ];
  const { results } = await operator.containers.undoPutIn({ container_id: cart, items });
  expect(results).toMatchObject([
    { asset_id: first, status: 'done', was_in: { id: cart } },
    { asset_id: second, status: 'done', was_in: { id: cart } },
    { asset_id: third, status: 'failed', reason: 'changed_since' },
  ]);
  expect([await inside(former), await inside(cart), await inside(other)]).toEqual([['Box 1'], [], ['Box 3']]);
});

it('takes nothing out of a container that somebody has put it into since another person saw it in the former one', async () => {
  const { operator, putIn, inside, cart, boxes } = await createHospital(world);
  const [first = 0, second = 0, other = 0] = boxes;
  await putIn(cart, first, second);
  await putIn(other, first);
  const { results } = await operator.containers.takeOut({ container_id: cart, asset_ids: [first, second] });
  expect(results).toMatchObject([
    { asset_id: first, status: 'failed', reason: 'changed_since' },
    { asset_id: second, status: 'done', was_in: { id: cart } },
  ]);
  expect([await inside(cart), await inside(other)]).toEqual([[], ['Box 1']]);
});

it('lists, counts and compares what is in a container', async () => {
  const { operator, scan, putIn, cart, boxes, ward, dock } = await createHospital(world, { boxes: 4 });
  const [first = 0, second = 0, third = 0, fourth = 0] = boxes;
  await scan(ward, cart);
  await putIn(cart, first, second, third);
  const page = await operator.containers.contents({ container_id: cart, q: 'box', limit: 2, offset: 1 });
  expect([page.total_count, page.data.map(({ name }) => name)]).toEqual([3, ['Box 2', 'Box 3']]);
  expect(page.data[0]).toMatchObject({ is_elsewhere: false, location: { id: ward } });
  await scan(dock, second);
  expect(await operator.containers.summary({ asset_id: cart })).toEqual({
    holds_assets: false,
    count: 3,
    elsewhere: [{ location: { id: dock, name: 'Dock' }, count: 1 }],
  });
  const compared = await operator.containers.compare({
    container_id: cart,
    reads: [{ value: 'CA' }, { value: 'B1' }, { asset_id: fourth }, { value: 'nothing' }],
  });
  expect(compared).toMatchObject({
    found: [{ name: 'Box 1' }],
    missing: [{ name: 'Box 2' }, { name: 'Box 3' }],
    unexpected: [{ name: 'Box 4' }],
    unassigned: ['nothing'],
  });
});

it('writes who put in and took out into the activity log', async () => {
  const { org, operator, putIn, cart, boxes } = await createHospital(world);
  const [first = 0, second = 0] = boxes;
  await putIn(cart, first);
  await putIn(second, first);
  await operator.containers.takeOut({ asset_ids: [first] });
  const { data } = await org.admin.activity.list({ kind: 'asset', object_id: String(first) });
  expect(data.map(({ action, entry_point, before, after }) => [action, entry_point, before, after])).toMatchObject([
    ['taken_out', 'app', { container: 'Box 2 (BOX-2)' }, {}],
    ['put_in', 'app', { container: 'Cart 7 (CART-7)' }, { container: 'Box 2 (BOX-2)' }],
    ['put_in', 'app', {}, { container: 'Cart 7 (CART-7)' }],
    ['tag_attached', 'system', {}, {}],
    ['created', 'system', {}, {}],
  ]);
});

it('forgets ended containments with the retention of events', async () => {
  const { org, operator, putIn, cart, boxes } = await createHospital(world);
  const [first = 0, second = 0, third = 0] = boxes;
  await putIn(cart, first, second, third);
  await operator.containers.takeOut({ asset_ids: [first, second] });
  const ago = (column: string) => `${column} = now() - interval '8 days'`;
  await query(
    world.databaseUrl,
    `UPDATE asset_containments SET ${ago('since')}, until = CASE WHEN until IS NOT NULL THEN now() - interval '7 days' END
      WHERE org_id = ${org.orgId} AND asset_id <> ${second}`,
  );
  await removeOldContainments(world.db, 6);
  const pasts = await Promise.all(boxes.map((id) => operator.containers.past({ asset_id: id })));
  expect(pasts.map(({ total_count: count }) => count)).toEqual([0, 1, 1]);
});

it('neither shows nor takes a container of another organization', async () => {
  const own = await createHospital(world);
  const other = await createHospital(world);
  const [box = 0] = own.boxes;
  const { operator: stranger } = other;
  await own.putIn(own.cart, box);
  const asks: [string, () => Promise<unknown>][] = [
    ['contents', () => stranger.containers.contents({ container_id: own.cart })],
    ['summary', () => stranger.containers.summary({ asset_id: own.cart })],
    ['past', () => stranger.containers.past({ asset_id: box })],
    ['compare', () => stranger.containers.compare({ container_id: own.cart, reads: [] })],
    ['putIn', () => other.putIn(own.cart, ...other.boxes)],
  ];
  for (const [name, ask] of asks) {
    expect([name, await refusalOf(ask())]).toMatchObject([name, { type: 'not_found' }]);
  }
  const at = new Date().toISOString();
  expect(await stranger.containers.at({ container_id: own.cart, at })).toEqual({ data: [] });
  expect(await other.putIn(other.cart, box)).toEqual([{ asset_id: box, status: 'failed', reason: 'not_found' }]);
  const { results } = await stranger.containers.takeOut({ asset_ids: [box] });
  expect(results).toEqual([{ asset_id: box, status: 'failed', reason: 'not_found' }]);
  const items = [{ asset_id: box, was_in_id: null }];
  const undone = await stranger.containers.undoPutIn({ container_id: own.cart, items });
  expect(undone.results).toEqual([{ asset_id: box, status: 'failed', reason: 'changed_since' }]);
  expect(await own.inside(own.cart)).toEqual(['Box 1']);
});
