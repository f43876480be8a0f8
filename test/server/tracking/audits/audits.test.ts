import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { removeSurplusAudits } from '../../../../server/tracking/audits/save-queries.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const startedAt = new Date(Date.now() - 60_000).toISOString();

type Saving = {
  location_id: number;
  expected: number[];
  reads: ({ value: string } | { asset_id: number })[];
  id?: string;
};

async function save(org: ScanOrganization, { id = ulid(), ...audit }: Saving): Promise<string> {
  await org.admin.audits.save({ submission_id: id, started_at: startedAt, ...audit });
  return id;
}

/** Two assets in a hall and one in the yard. */
async function setUp() {
  const org = await world.organization();
  const [hall, yard] = [await org.location({ tags: [['barcode', 'PLACE-1']] }), await org.location()];
  const make = (name: string, tag: string) => org.asset({ name, tags: [['barcode', tag]] });
  const [pump, drill, cart] = [
    await make('Pump', 'TAG-PUMP'),
    await make('Drill', 'TAG-DRILL'),
    await make('Cart', 'TAG-CART'),
  ];
  const place = (location_id: number, assets: number[]) =>
    org.admin.scans.submit({ submission_id: ulid(), location_id, reads: assets.map((asset_id) => ({ asset_id })) });
  await place(hall, [pump, drill]);
  await place(yard, [cart]);
  return { org, hall, yard, pump, drill, cart };
}

describe('audits', () => {
  it('keep what was found, missing, unexpected and unassigned, and place what was found', async () => {
    const { org, hall, yard, pump, drill, cart } = await setUp();
    const reads = ['TAG-PUMP', 'tag-cart', 'NOBODY', 'NOBODY-2', 'PLACE-1'].map((value) => ({ value }));
    const audit_id = await save(org, { location_id: hall, expected: [pump, drill], reads });
    expect(await org.admin.audits.get({ audit_id })).toMatchObject({
      id: audit_id,
      location: { id: hall, is_deleted: false },
      started_at: startedAt,
      saved_by: 'admin',
      found: 1,
      missing: 1,
      unexpected: 1,
      unassigned: 2,
    });
    const { data } = await org.admin.audits.items({ audit_id });
    expect(
      data.map(({ outcome, name, asset, last_location }) => [outcome, name, asset?.id, last_location?.id]),
    ).toEqual([
      ['missing', 'Drill', drill, hall],
      ['unexpected', 'Cart', cart, yard],
      ['unassigned', 'NOBODY', undefined, undefined],
      ['unassigned', 'NOBODY-2', undefined, undefined],
      ['found', 'Pump', pump, hall],
    ]);
    const page = await org.admin.audits.items({ audit_id, outcome: 'unassigned', limit: 1, offset: 1 });
    expect(page).toMatchObject({ total_count: 2, data: [{ name: 'NOBODY-2' }] });
    const here = (await org.positions()).filter(({ location_id }) => location_id === hall);
    expect(here.map(({ asset_id }) => asset_id)).toEqual([pump, drill, cart]);
    const log = await org.admin.activity.list({ kind: 'audit' });
    expect(log.data).toMatchObject([{ object_id: audit_id, action: 'created', after: { found: 1, unassigned: 2 } }]);
  });

  it('are saved once, however often they are sent', async () => {
    const { org, hall, pump } = await setUp();
    const id = ulid();
    const saving = { id, location_id: hall, expected: [pump], reads: [{ value: 'TAG-PUMP' }] };
    await Promise.all([save(org, saving), save(org, saving)]);
    await save(org, saving);
    expect((await org.admin.audits.list()).total_count).toBe(1);
    expect((await org.admin.audits.items({ audit_id: id })).total_count).toBe(1);
  });

  it('are saved with nothing found, and not at all where the location is gone', async () => {
    const { org, hall, pump, drill } = await setUp();
    const audit_id = await save(org, { location_id: hall, expected: [pump, drill], reads: [] });
    expect(await org.admin.audits.get({ audit_id })).toMatchObject({ found: 0, missing: 2 });
    const gone = await org.location();
    await org.deleteLocation(gone);
    expect(await refusalOf(save(org, { location_id: gone, expected: [], reads: [{ asset_id: pump }] }))).toMatchObject({
      type: 'validation_error',
    });
    expect((await org.admin.audits.list()).total_count).toBe(1);
    expect((await org.positions()).find(({ asset_id }) => asset_id === pump)?.location_id).toBe(hall);
  });

  it('are compared with an earlier one', async () => {
    const { org, hall, pump, drill, cart } = await setUp();
    const earlier_audit_id = await save(org, {
      location_id: hall,
      expected: [pump, drill],
      reads: [{ value: 'TAG-PUMP' }, { value: 'NOBODY' }],
    });
    const audit_id = await save(org, {
      location_id: hall,
      expected: [pump, drill],
      reads: [{ value: 'TAG-DRILL' }, { asset_id: cart }],
    });
    const { data, total_count } = await org.admin.audits.compare({ audit_id, earlier_audit_id });
    expect(total_count).toBe(4);
    expect(data.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['Cart', null, 'unexpected'],
      ['Drill', 'missing', 'found'],
      ['NOBODY', 'unassigned', null],
      ['Pump', 'found', 'missing'],
    ]);
  });

  it('are listed by location, with sublocations, and by time', async () => {
    const { org, hall, yard, pump } = await setUp();
    await world.db.location.update({ where: { id: yard }, data: { parentId: hall } });
    const inHall = await save(org, { location_id: hall, expected: [pump], reads: [{ asset_id: pump }] });
    const inYard = await save(org, { location_id: yard, expected: [], reads: [{ asset_id: pump }] });
    const ids = async (input: Parameters<typeof org.admin.audits.list>[0]) =>
      (await org.admin.audits.list(input)).data.map(({ id }) => id);
    expect(await ids({})).toEqual([inYard, inHall]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([inHall]);
    expect(await ids({ location_id: hall })).toEqual([inYard, inHall]);
    expect(await ids({ location_id: hall, including_sublocations: false })).toEqual([inHall]);
    expect(await ids({ until: startedAt })).toEqual([]);
    expect(await ids({ from: startedAt })).toHaveLength(2);
  });

  it('belong to their organization, are read by viewers and saved by operators', async () => {
    const { org, hall, pump } = await setUp();
    const audit_id = await save(org, { location_id: hall, expected: [pump], reads: [{ asset_id: pump }] });
    const viewer = await org.as('viewer');
    expect((await viewer.audits.list()).total_count).toBe(1);
    const saving = { submission_id: ulid(), started_at: startedAt, location_id: hall, expected: [], reads: [] };
    expect(await refusalOf(viewer.audits.save(saving))).toMatchObject({ type: 'forbidden' });
    const other = await setUp();
    const notFound = { type: 'not_found', detail: 'Audit not found' };
    const { audits } = other.org.admin;
    expect(await refusalOf(audits.get({ audit_id }))).toEqual(notFound);
    expect(await refusalOf(audits.items({ audit_id }))).toEqual(notFound);
    expect(await refusalOf(audits.compare({ audit_id, earlier_audit_id: audit_id }))).toEqual(notFound);
    expect((await audits.list()).data).toEqual([]);
    // Assets of another organization are no items.
    const foreign = await save(other.org, { location_id: other.hall, expected: [pump], reads: [{ asset_id: pump }] });
    expect((await audits.items({ audit_id: foreign })).data).toEqual([]);
  });

  it('are deleted, the oldest first, beyond what an organization may keep', async () => {
    const { org, hall, pump, drill } = await setUp();
    const other = await setUp();
    const saving = { location_id: hall, expected: [pump, drill], reads: [{ asset_id: pump }] };
    const ids = [await save(org, saving), await save(org, saving), await save(org, saving)];
    const theirs = await save(other.org, { ...saving, location_id: other.hall });
    const left = async () => (await org.admin.audits.list()).data.map(({ id }) => id);
    await world.db.$transaction((tx) => removeSurplusAudits(tx, org.orgId, { auditsMax: 2, itemsMax: 1000 }));
    expect(await left()).toEqual([ids[2], ids[1]]);
    await world.db.$transaction((tx) => removeSurplusAudits(tx, org.orgId, { auditsMax: 2, itemsMax: 3 }));
    expect(await left()).toEqual([ids[2]]);
    await world.db.$transaction((tx) => removeSurplusAudits(tx, org.orgId, { auditsMax: 2, itemsMax: 1 }));
    expect(await left()).toEqual([ids[2]]);
    expect((await other.org.admin.audits.list()).data.map(({ id }) => id)).toEqual([theirs]);
  });
});
