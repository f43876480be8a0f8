import { ulid } from 'ulid';
import { expect, test, vi } from 'vitest';
import { submissionTimes } from '../../../../server/tracking/scans/submit.js';
import { type AppCaller, sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

type Submission = Parameters<AppCaller['scans']['submit']>[0];

const minuteMs = 60_000;
const roundingMs = 2;

async function setUp() {
  const org = await world.organization();
  const ward = await org.location({ name: 'Ward', tags: [['barcode', 'LOC-WARD']] });
  const store = await org.location({ name: 'Store', tags: [['barcode', 'LOC-STORE']] });
  const pump = await org.asset({ tags: [['rfid', 'E280AA']] });
  const bed = await org.asset({ tags: [['rfid', 'E280BB']] });
  const operator = await org.as('operator');
  const submit = async (given: Partial<Submission> = {}) =>
    (
      await operator.scans.submit({
        submission_id: ulid(),
        location_id: ward,
        reads: [{ value: 'E280AA' }],
        ...given,
      })
    ).results;
  const places = async () => (await org.positions()).map(({ asset_id, location_id }) => [asset_id, location_id]);
  return { org, ward, store, pump, bed, operator, submit, places };
}

test('a read that names a location begins another place for the reads after it, and a retry gets the same answer', async () => {
  const { ward, store, pump, bed, submit, places } = await setUp();
  const submission = {
    submission_id: ulid(),
    reads: [{ value: 'E280AA' }, { value: 'LOC-STORE' }, { value: 'E280BB' }, { value: 'nobody' }],
  };
  const results = await submit(submission);
  expect(results).toEqual([
    { status: 'placed', asset_id: pump },
    { status: 'location', location: { id: store, name: 'Store' } },
    { status: 'placed', asset_id: bed, at: { id: store, name: 'Store' } },
    { status: 'unknown' },
  ]);
  expect(await places()).toEqual([
    [pump, ward],
    [bed, store],
  ]);
  expect(await submit(submission)).toEqual(results);
});

test('an asset that is scanned at two places of a batch is at the last one', async () => {
  const { org, ward, store, pump, submit, places } = await setUp();
  await submit({ reads: [{ value: 'E280AA' }, { value: 'LOC-STORE' }, { value: 'E280AA' }] });
  expect(await places()).toEqual([[pump, store]]);
  expect((await org.events(pump)).map(({ location_id: id }) => id)).toEqual([ward, store]);
});

test('reads begin at the last location that a value before them names', async () => {
  const { org, ward, store, pump, bed, submit, places } = await setUp();
  const results = await submit({
    location_values: ['LOC-WARD', 'LOC-STORE', 'E280BB', 'nobody'],
    reads: [{ value: 'E280AA' }],
  });
  expect(results).toEqual([{ status: 'placed', asset_id: pump, at: { id: store, name: 'Store' } }]);
  expect(await submit({ location_values: ['E280AA'], reads: [{ value: 'E280BB' }] })).toEqual([
    { status: 'placed', asset_id: bed },
  ]);
  expect(
    await submit({ location_values: ['nobody'], reads: [{ value: 'LOC-STORE' }, { value: 'E280BB' }] }),
  ).toMatchObject([{ status: 'location' }, { status: 'placed', from: { id: ward }, at: { id: store } }]);
  expect(await places()).toEqual([
    [pump, store],
    [bed, store],
  ]);
  // They were counted with the scans that they belong to.
  expect((await org.admin.scans.unknownTags()).total_count).toBe(0);
});

test('an undo moves an asset back only if it is still where the scan has placed it', async () => {
  const { ward, store, pump, submit, places } = await setUp();
  const shelf = { location_id: store, reads: [{ asset_id: pump }], if_at: ward };
  expect(await submit(shelf)).toEqual([{ status: 'placed', asset_id: pump, stays_at: null }]);
  expect(await places()).toEqual([]);
  await submit();
  expect(await submit(shelf)).toEqual([{ status: 'placed', asset_id: pump, from: { id: ward, name: 'Ward' } }]);
  expect(await places()).toEqual([[pump, store]]);
  expect(await submit({ reads: [{ asset_id: pump }], if_at: ward })).toEqual([
    { status: 'placed', asset_id: pump, from: { id: store, name: 'Store' }, stays_at: { id: store, name: 'Store' } },
  ]);
  expect(await places()).toEqual([[pump, store]]);
});

test.each([
  ['20 minutes slow', -20 * minuteMs],
  ['2 days slow', -2880 * minuteMs],
  ['20 minutes fast', 20 * minuteMs],
])('a device whose clock is %s moves an asset that was just seen elsewhere', async (_, faultMs) => {
  const { ward, store, pump, submit, places } = await setUp();
  await submit({ location_id: store });
  const deviceMs = Date.now() + faultMs;
  const [result] = await submit({
    observed_at: new Date(deviceMs).toISOString(),
    sent_at: new Date(deviceMs).toISOString(),
  });
  expect(result).toEqual({ status: 'placed', asset_id: pump, from: { id: store, name: 'Store' } });
  expect(await places()).toEqual([[pump, ward]]);
});

test('a slow answer to the question for the time does not make a scan older', async () => {
  const receivedMs = Date.now();
  let askedMs = 0;
  const slow = {
    async $queryRaw() {
      askedMs = performance.now();
      await vi.waitUntil(() => performance.now() > askedMs + 20, { interval: 1 });
      return [{ now_ms: receivedMs }];
    },
  };
  const beganMs = performance.now();
  const { observedAtMs } = await submissionTimes(slow as never, {
    input: { observed_at: 1000, sent_at: 3000 },
    beganMs,
    retentionDays: 1,
  });
  expect(receivedMs - 2000 - observedAtMs).toBeLessThan(askedMs - beganMs + 1);
});

test('the answer says that an asset is not moved, since it was seen elsewhere after the scan', async () => {
  const { store, pump, submit, places } = await setUp();
  await submit({ location_id: store });
  const now = Date.now();
  const [result] = await submit({
    observed_at: new Date(now - 30 * minuteMs).toISOString(),
    sent_at: new Date(now).toISOString(),
  });
  expect(result).toMatchObject({ status: 'placed', asset_id: pump, stays_at: { id: store, name: 'Store' } });
  expect(await places()).toEqual([[pump, store]]);
});

test('the times of an audit are corrected, and a location among its reads changes nothing', async () => {
  const { org, ward, store, pump, bed, operator, submit, places } = await setUp();
  await submit({ location_id: store });
  const beganMs = Date.now();
  const deviceMs = beganMs - 20 * minuteMs;
  const { results } = await operator.audits.save({
    submission_id: ulid(),
    location_id: ward,
    started_at: new Date(deviceMs - 2 * minuteMs).toISOString(),
    observed_at: new Date(deviceMs).toISOString(),
    sent_at: new Date(deviceMs).toISOString(),
    expected: [],
    reads: [{ value: 'E280AA' }, { value: 'LOC-STORE' }, { value: 'E280BB' }],
  });
  expect(results).toMatchObject([{ status: 'placed' }, { status: 'unknown' }, { status: 'placed' }]);
  expect(await places()).toEqual([
    [pump, ward],
    [bed, ward],
  ]);
  const [audit] = (await org.admin.audits.list({ location_id: ward })).data;
  const startedMs = Date.parse(audit?.started_at ?? '');
  const endedMs = Date.now();
  expect(startedMs).toBeGreaterThan(beganMs - 2 * minuteMs - (endedMs - beganMs) - roundingMs);
  expect(startedMs).toBeLessThan(endedMs - 2 * minuteMs + roundingMs);
});
