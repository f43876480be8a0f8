import { describe, expect, it } from 'vitest';
import { removeKnownValues } from '../../../../server/tracking/scans/unknown-values.js';
import { refusalOf } from '../../../support/caller.js';
import { createPlanReader, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

type Row = {
  value: string;
  tagType?: string | null;
  readerId?: number;
  antenna?: number;
  count?: number;
  ago?: number;
};

/** One instant for all rows, so that they are in the order of their ages. */
const nowMs = Date.now();

async function unknown(org: ScanOrganization, { value, tagType = 'rfid', count = 1, ago = 0, ...place }: Row) {
  const lastSeen = new Date(nowMs - ago * 1000);
  const firstSeen = new Date(lastSeen.getTime() - 1000);
  await world.db.unknownTag.create({
    data: { orgId: org.orgId, value, tagType, count: BigInt(count), firstSeen, lastSeen, ...place },
  });
}

const valuesOf = async (org: ScanOrganization) =>
  (await org.admin.scans.unknownValues()).data.map(({ value }) => value);

describe('scans.unknownValues', () => {
  it('sums up the rows of a value, and returns its places, latest first', async () => {
    const org = await world.organization();
    const [dock, shelf] = [await org.location(), await org.location()];
    const reader = await org.reader({ name: 'Gate', location_id: dock, antennas: [{ port: 2, location_id: shelf }] });
    await unknown(org, { value: 'A', readerId: reader.id, antenna: 1, count: 5, ago: 60 });
    await unknown(org, { value: 'A', readerId: reader.id, antenna: 2, count: 7, ago: 10 });
    await unknown(org, { value: 'A', tagType: 'barcode', ago: 90 });
    await unknown(org, { value: 'H', tagType: null, count: 3, ago: 30 });
    const { data, total_count: total, is_more: isMore } = await org.admin.scans.unknownValues();
    expect([total, isMore]).toEqual([3, false]);
    expect(data.map(({ value, tag_type, count }) => [value, tag_type, count])).toEqual([
      ['A', 'rfid', 12],
      ['H', null, 3],
      ['A', 'barcode', 1],
    ]);
    const [first, second] = data;
    expect(Date.parse(first?.last_seen ?? '') - Date.parse(first?.first_seen ?? '')).toBeGreaterThan(50_000);
    expect(first?.places).toMatchObject([
      { reader: { id: reader.id, name: 'Gate' }, antenna: 2, location: { id: shelf }, count: 7 },
      { reader: { id: reader.id }, antenna: 1, location: { id: dock }, count: 5 },
    ]);
    expect(first?.place_count).toBe(2);
    expect(second?.places).toMatchObject([{ reader: null, antenna: null, location: null, count: 3 }]);
  });

  it('finds by a part of the value and by reader, and pages', async () => {
    const org = await world.organization();
    const [one, two] = [await org.reader(), await org.reader()];
    for (const [index, value] of ['E280A', 'e280b', '100%'].entries()) {
      await unknown(org, { value, readerId: one.id, antenna: 1, ago: index });
    }
    await unknown(org, { value: 'E280A', readerId: two.id, antenna: 1, count: 4, ago: 50 });
    const found = async (input: Parameters<typeof org.admin.scans.unknownValues>[0]) =>
      (await org.admin.scans.unknownValues(input)).data.map(({ value }) => value);
    expect(await found({ q: 'E280' })).toEqual(['E280A', 'e280b']);
    expect(await found({ q: '0%' })).toEqual(['100%']);
    // Only what the reader itself read of a value that others read too.
    const { data } = await org.admin.scans.unknownValues({ reader_id: two.id });
    expect(data).toMatchObject([{ value: 'E280A', count: 4, place_count: 1, places: [{ reader: { id: two.id } }] }]);
    expect(Date.parse(data[0]?.last_seen ?? '')).toBe(nowMs - 50_000);
    expect(await found({ limit: 1, offset: 1 })).toEqual(['e280b']);
    expect(await org.admin.scans.unknownValues({ offset: 9 })).toMatchObject({ data: [], total_count: 3 });
  });

  it('is each organization’s own, for everybody to see and for managers to dismiss', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    for (const value of ['A', 'B']) await unknown(org, { value });
    await unknown(org, { value: 'A', tagType: null });
    await unknown(other, { value: 'A' });
    const viewer = await org.as('viewer');
    expect((await viewer.scans.unknownValues()).total_count).toBe(3);
    const values = [
      { tag_type: 'rfid' as const, value: 'A' },
      { tag_type: 'ble' as const, value: 'B' },
    ];
    const operator = await org.as('operator');
    expect(await refusalOf(operator.scans.dismissUnknown({ values }))).toMatchObject({ type: 'forbidden' });
    const manager = await org.as('manager');
    await manager.scans.dismissUnknown({ values });
    expect((await valuesOf(org)).toSorted((a, b) => a.localeCompare(b))).toEqual(['A', 'B']);
    await manager.scans.dismissUnknown({ values: [{ tag_type: null, value: 'A' }] });
    expect(await valuesOf(org)).toEqual(['B']);
    expect(await valuesOf(other)).toEqual(['A']);
    expect(await refusalOf(manager.scans.dismissUnknown({ values: [] }))).toMatchObject({ type: 'validation_error' });
  });

  it('reads as much as it shows, however many values there are', async () => {
    const org = await world.organization();
    await world.db.$executeRaw`
      INSERT INTO unknown_tags (org_id, tag_type, value, reader_id, antenna, count, first_seen, last_seen)
      SELECT ${org.orgId}::int, 'ble', 'M' || (n % 30000), 1, n / 30000, 1, now(), now() - make_interval(secs => n)
        FROM generate_series(1, 60000) n`;
    const assetId = await org.asset();
    await world.db.$executeRaw`
      INSERT INTO tags (org_id, asset_id, tag_type, value)
      SELECT ${org.orgId}::int, ${assetId}::int, 'ble', 'T' || n FROM generate_series(1, 20000) n`;
    await world.db.$executeRawUnsafe('VACUUM ANALYZE unknown_tags, tags');
    await using plans = await createPlanReader(world.databaseUrl);
    const nodes = await plans.nodesOf(async () => {
      const page = await org.admin.scans.unknownValues();
      expect(page).toMatchObject({ total_count: 1000, is_more: true });
      expect(page.data).toHaveLength(50);
    });
    // The tables of readers and locations are empty here.
    const large = nodes.filter(({ relation }) => ['unknown_tags', 'tags'].includes(relation));
    expect(large.filter(({ kind }) => kind === 'Seq Scan')).toEqual([]);
    expect(rowsOf(nodes, 'unknown_tags')).toBeLessThan(5000);
  });
});

describe('a tag that is attached', () => {
  it('is no longer unknown once attached, however it was written', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    for (const value of ['E280AB', 'e280ab', 'OTHER']) await unknown(org, { value });
    await unknown(org, { value: 'E280AB', tagType: null });
    await unknown(org, { value: 'E280AB', tagType: 'barcode' });
    await unknown(org, { value: 'AABBCC', tagType: 'ble' });
    await unknown(other, { value: 'E280AB' });
    await org.admin.assets.create({ name: 'Pallet', tags: [{ tag_type: 'rfid', value: 'e280ab' }] });
    const asset = await org.asset();
    await org.admin.tags.addToAsset({ asset_id: asset, tag_type: 'ble', value: 'aa:bb:cc' });
    const left = await world.db.unknownTag.findMany({ where: { orgId: org.orgId }, orderBy: { value: 'asc' } });
    expect(left.map(({ tagType, value }) => [tagType, value])).toEqual([
      ['barcode', 'E280AB'],
      ['rfid', 'OTHER'],
    ]);
    expect(await valuesOf(other)).toEqual(['E280AB']);
    await org.admin.assets.create({ name: 'Without a tag' });
  });

  it('does not wait for ingestion that is just counting it, is not shown, and goes with the next housekeeping', async () => {
    const org = await world.organization();
    await unknown(org, { value: 'HELD' });
    await unknown(org, { value: 'STAYS' });
    await world.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM unknown_tags WHERE org_id = ${org.orgId} FOR UPDATE`;
      await org.admin.assets.create({ name: 'Pallet', tags: [{ tag_type: 'rfid', value: 'HELD' }] });
    });
    expect(await world.db.unknownTag.count({ where: { orgId: org.orgId } })).toBe(2);
    expect(await valuesOf(org)).toEqual(['STAYS']);
    await removeKnownValues(world.db);
    const left = await world.db.unknownTag.findMany({ where: { orgId: org.orgId } });
    expect(left.map(({ value }) => value)).toEqual(['STAYS']);
  });
});
