import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { lockStatement } from '../../../../server/kernel/database/locks.js';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

type Submission = Parameters<AppCaller['scans']['submit']>[0];

async function setUp() {
  const org = await world.organization();
  const location = await org.location();
  const asset = await org.asset({ tags: [['rfid', 'E280AB']] });
  const operator = await org.as('operator');
  const submit = (given: Partial<Submission> = {}) =>
    operator.scans.submit({ submission_id: ulid(), location_id: location, reads: [{ value: 'E280AB' }], ...given });
  return { org, location, asset, operator, submit };
}

describe('scans.submit', () => {
  it('places what it can and answers in the order of the reads', async () => {
    const { org, location, asset, submit } = await setUp();
    const beacon = await org.asset({ tags: [['ble', 'AC:23:3F:A0:32:08']] });
    const box = await org.asset({ tags: [['barcode', '4006381333931']] });
    const chosen = await org.asset();
    const shelf = await org.location({ name: 'Shelf', tags: [['rfid', 'SHELF-1']] });
    const { results } = await submit({
      reads: [
        { value: 'nobody' },
        { value: 'ac233fa03208' },
        { value: '4006381333931' },
        { asset_id: chosen },
        { value: 'E280AB' },
        { tag_type: 'ble', value: 'E280AB' },
        { value: 'e280ab' },
        { asset_id: 2147483647 },
        { value: 'SHELF-1' },
      ],
    });
    expect(results).toEqual([
      { status: 'unknown' },
      { status: 'placed', asset_id: beacon },
      { status: 'placed', asset_id: box },
      { status: 'placed', asset_id: chosen },
      { status: 'placed', asset_id: asset },
      { status: 'unknown' },
      { status: 'placed', asset_id: asset },
      { status: 'unknown' },
      { status: 'location', location: { id: shelf, name: 'Shelf' } },
    ]);
    const positions = await org.positions();
    expect(positions).toHaveLength(4);
    expect(positions).toEqual(
      positions.map((position) => ({ ...position, location_id: location, reader_id: null, antenna: null })),
    );
    expect(await org.events()).toHaveLength(4);
    const { data } = await org.admin.scans.unknownTags();
    expect(
      data.map(({ value, tag_type, reader_id, antenna, count }) => [value, tag_type, reader_id, antenna, count]),
    ).toEqual(
      expect.arrayContaining([
        ['nobody', null, null, null, 1],
        ['E280AB', 'ble', null, null, 1],
      ]),
    );
    expect(data).toHaveLength(2);
  });

  it('prefers the value as it is stored, and an asset’s tag to a location’s', async () => {
    const { org, submit } = await setUp();
    const lower = await org.asset({ tags: [['barcode', 'ab-1']] });
    await org.asset({ tags: [['rfid', 'AB-1']] });
    await org.location({ tags: [['rfid', 'X1']] });
    const labeled = await org.asset({ tags: [['barcode', 'X1']] });
    const { results } = await submit({ reads: [{ value: 'ab-1' }, { value: 'X1' }] });
    expect(results).toEqual([
      { status: 'placed', asset_id: lower },
      { status: 'placed', asset_id: labeled },
    ]);
  });

  it('makes every submission an event, without deduplication', async () => {
    const { org, submit } = await setUp();
    const observedMs = Date.now() - 60_000;
    for (const plus of [0, 1, 2]) await submit({ observed_at: new Date(observedMs + plus).toISOString() });
    expect(await org.events()).toHaveLength(3);
  });

  it('uses the time of receipt instead of a time in the future, and puts an earlier time into history', async () => {
    const { org, submit } = await setUp();
    const beforeMs = Date.now();
    await submit({ observed_at: new Date(beforeMs + 3_600_000).toISOString() });
    await submit({ observed_at: new Date(beforeMs - 3_600_000).toISOString() });
    await submit({ observed_at: new Date(beforeMs - 400 * 86_400_000).toISOString() });
    const times = (await org.events()).map(({ at }) => Date.parse(at));
    expect(times[0]).toBe(beforeMs - 3_600_000);
    expect(times).toHaveLength(3);
    for (const time of times.slice(1)) {
      expect(time).toBeGreaterThan(beforeMs - 1000);
      expect(time).toBeLessThan(Date.now() + 1000);
    }
    expect(await org.positions()).toMatchObject([{ at: new Date(times[2] ?? 0).toISOString() }]);
  });

  it('answers a retry as it did the first time, even with other reads', async () => {
    const { org, asset, location, submit } = await setUp();
    const submission_id = ulid();
    const first = await submit({ submission_id });
    expect(first).toEqual({ results: [{ status: 'placed', asset_id: asset }] });
    await org.deleteAsset(asset);
    await org.deleteLocation(location);
    const again = await submit({ submission_id: submission_id.toLowerCase(), reads: [{ value: 'x' }, { value: 'y' }] });
    expect(again).toEqual(first);
    expect(await org.events()).toHaveLength(1);
    expect((await org.admin.scans.unknownTags()).total_count).toBe(0);
  });

  it('stores two at once with one id once', async () => {
    const { org, submit } = await setUp();
    const submission_id = ulid();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => submit({ submission_id, reads: [{ value: 'E280AB' }, { value: 'z' }] })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await org.events()).toHaveLength(1);
    expect((await org.admin.scans.unknownTags()).data).toMatchObject([{ value: 'z', count: 1 }]);
  });

  it('has ids of its own in each organization', async () => {
    const one = await setUp();
    const two = await setUp();
    const submission_id = ulid();
    expect(await one.submit({ submission_id })).toEqual({ results: [{ status: 'placed', asset_id: one.asset }] });
    expect(await two.submit({ submission_id })).toEqual({ results: [{ status: 'placed', asset_id: two.asset }] });
  });

  it('rejects a location that is deleted, missing or another organization’s, and forgets the submission', async () => {
    const { org, asset, submit } = await setUp();
    const other = await setUp();
    const deleted = await org.location();
    await org.deleteLocation(deleted);
    const submission_id = ulid();
    for (const location_id of [deleted, 2147483647, other.location]) {
      const detail = `location_id ${location_id} not found`;
      expect(await refusalOf(submit({ submission_id, location_id }))).toEqual({
        type: 'validation_error',
        detail,
        fields: [{ field: 'location_id', code: 'fk_not_found', message: detail }],
      });
    }
    expect(await submit({ submission_id })).toEqual({ results: [{ status: 'placed', asset_id: asset }] });
  });

  it('finds no asset of another organization', async () => {
    const { org, submit } = await setUp();
    const other = await setUp();
    expect(await submit({ reads: [{ asset_id: other.asset }] })).toEqual({ results: [{ status: 'unknown' }] });
    expect(await org.positions()).toEqual([]);
    expect(await other.org.positions()).toEqual([]);
  });

  it.each([
    [{ submission_id: 'x' }, 'submission_id', 'invalid_value'],
    [{ submission_id: '8ZZZZZZZZZZZZZZZZZZZZZZZZZ' }, 'submission_id', 'invalid_value'],
    [{ submission_id: '01J0000000000000000000000U' }, 'submission_id', 'invalid_value'],
    [{ submission_id: `${ulid()} ` }, 'submission_id', 'invalid_value'],
    [{ submission_id: 5 }, 'submission_id', 'invalid_value'],
    [{ submission_id: undefined }, 'submission_id', 'required'],
    [{ location_id: 0 }, 'location_id', 'too_small'],
    [{ location_id: '5' }, 'location_id', 'invalid_value'],
    [{ reads: [] }, 'reads', 'too_short'],
    [{ reads: {} }, 'reads', 'invalid_value'],
    [{ reads: [5] }, 'reads', 'invalid_value'],
    [{ reads: [{}] }, 'value', 'required'],
    [{ reads: [{ value: '' }] }, 'value', 'too_short'],
    [{ reads: [{ value: 'a\0' }] }, 'value', 'invalid_value'],
    [{ reads: [{ value: 'x'.repeat(256) }] }, 'value', 'too_long'],
    [{ reads: [{ value: 'x', asset_id: 5 }] }, 'asset_id', 'ambiguous_fields'],
    [{ reads: [{ asset_id: 5, tag_type: 'rfid' }] }, 'tag_type', 'invalid_context'],
    [{ reads: [{ value: 'x', tag_type: 'nfc' }] }, 'tag_type', 'invalid_value'],
    [{ reads: [{ value: 'x', color: 'red' }] }, 'color', 'unknown_field'],
    [{ observed_at: 'yesterday' }, 'observed_at', 'invalid_value'],
    [{ observed_at: '1970-01-01T00:00:00Z' }, 'observed_at', 'invalid_value'],
    [{ extra: true }, 'extra', 'unknown_field'],
  ])('rejects %j', async (given, field, code) => {
    const { submit } = await setUp();
    const refusal = await refusalOf(submit(given as Partial<Submission>));
    expect(refusal.type).toBe('validation_error');
    expect(refusal.fields).toMatchObject([{ field, code }]);
  });
});

describe('a location under a submission', () => {
  async function deleteOverRoom(org: ScanOrganization, location: number): Promise<string> {
    return org.admin.locations.delete({ location_id: location }).then(
      () => 'deleted',
      (error: Error) => error.message,
    );
  }

  it('is not deleted once something was placed there', async () => {
    const { org, location, submit } = await setUp();
    await submit();
    expect(await deleteOverRoom(org, location)).toMatch(/^location has assets placed at it/);
  });

  it('either rejects the submission or cannot be deleted, when both come at once', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { org, location, submit } = await setUp();
      const gate = world.db.$transaction(async (tx) => {
        await tx.$queryRaw(lockStatement('tree', org.orgId));
        const racers = [
          () =>
            submit().then(
              () => 'placed',
              () => 'refused',
            ),
          () => deleteOverRoom(org, location).then((answer) => (answer === 'deleted' ? 'deleted' : 'kept')),
        ];
        return { both: Promise.all((round % 2 === 0 ? racers : racers.toReversed()).map((race) => race())) };
      });
      const both = (await (await gate).both).toSorted().join(' ');
      expect(['kept placed', 'deleted refused']).toContain(both);
      expect((await org.positions()).length).toBe(both === 'kept placed' ? 1 : 0);
    }
  });
});
