import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

type Named = { name: string; external_key?: string };

async function setUp() {
  const org = await world.organization();
  let count = 0;
  // Keys are searched too; random ones would match by chance.
  const newKey = () => 'Q'.repeat((count += 1));
  const asset = ({ name, external_key: externalKey = newKey() }: Named, tags: [string, string][] = []) =>
    org.asset({ name, tags, externalKey });
  const location = ({ name, external_key: externalKey = newKey() }: Named, parentId: number | null = null) =>
    org.location({ name, parentId, externalKey });
  return { org, asset, location };
}

async function search(org: ScanOrganization, q: string, role: Parameters<ScanOrganization['as']>[0] = 'viewer') {
  const caller: AppCaller = await org.as(role);
  return caller.search.everything({ q });
}

/** A floor plan of a location, with an image that nobody looks at. */
async function plan(orgId: number, locationId: number): Promise<void> {
  const bytes = Buffer.from('bytes');
  const size = { width: 4, height: 2, storedBytes: 10 };
  const content = { content: bytes, thumbnail: bytes, etag: 'a', isAttached: true };
  const image = await world.db.image.create({ data: { orgId, kind: 'plan', ...size, ...content } });
  await world.db.floorPlan.create({ data: { orgId, locationId, imageId: image.id, updatedAt: new Date() } });
}

const nothing = {
  assets: [],
  asset_count: 0,
  asset_count_is_exact: true,
  locations: [],
  tags: [],
  readers: [],
  plans: [],
};

const names = (found: { name: string }[]) => found.map(({ name }) => name);

describe('search.everything', () => {
  it('ranks an exact key before what begins with the text, and that before what contains it', async () => {
    const { org, asset } = await setUp();
    await asset({ name: 'The pump-1 of old' });
    await asset({ name: 'Pump-1 spare' });
    await asset({ name: 'A first one', external_key: 'PUMP-10' });
    await asset({ name: 'Zebra', external_key: 'PUMP-1' });
    expect(names((await search(org, ' pump-1 ')).assets)).toEqual([
      'Zebra',
      'A first one',
      'Pump-1 spare',
      'The pump-1 of old',
    ]);
  });

  it('finds one or two letters at the beginning of names and keys alone', async () => {
    const { org, asset } = await setUp();
    await asset({ name: 'Drill' });
    await asset({ name: 'drum' });
    await asset({ name: 'Adrian' });
    expect(names((await search(org, 'dr')).assets)).toEqual(['Drill', 'drum']);
    expect(names((await search(org, 'dri')).assets)).toEqual(['Drill', 'Adrian']);
  });

  it('finds text of any script, in any locale of the database', async () => {
    const { org, asset } = await setUp();
    await asset({ name: '第二倉庫のポンプ' });
    await asset({ name: 'Großer Kübel' });
    expect(names((await search(org, '倉庫')).assets)).toEqual(['第二倉庫のポンプ']);
    expect(names((await search(org, 'KÜBEL')).assets)).toEqual(['Großer Kübel']);
  });

  it('treats wildcards of patterns as ordinary characters', async () => {
    const { org, asset } = await setUp();
    await asset({ name: 'Tank 100% full' });
    await asset({ name: 'Tank 1000 full' });
    expect(names((await search(org, '100% full')).assets)).toEqual(['Tank 100% full']);
    expect((await search(org, '%')).assets).toEqual([]);
    expect((await search(org, '___')).assets).toEqual([]);
    expect((await search(org, '\\')).assets).toEqual([]);
  });

  it('finds a tag by every notation of its value, with its asset or location', async () => {
    const { org, asset } = await setUp();
    const cart = await asset({ name: 'Cart', external_key: 'CART-1' }, [['ble', 'AC:23:3F:A0:32:08']]);
    await asset({ name: 'Box' }, [['rfid', 'E280AC233F']]);
    const shelf = await org.location({ tags: [['rfid', 'SHELF-9']] });
    const [exact, ...others] = (await search(org, 'ac233fa03208')).tags;
    expect(exact).toMatchObject({
      tag_type: 'ble',
      value: 'AC:23:3F:A0:32:08',
      asset: { id: cart, name: 'Cart', external_key: 'CART-1' },
      location: null,
    });
    expect(others).toEqual([]);
    const values = async (q: string) => (await search(org, q)).tags.map(({ value }) => value);
    expect(await values('ac:23')).toEqual(['AC:23:3F:A0:32:08']);
    expect(await values('ac2')).toEqual(['AC:23:3F:A0:32:08', 'E280AC233F']);
    expect((await search(org, 'shelf-9')).tags).toMatchObject([{ asset: null, location: { id: shelf } }]);
  });

  it('finds the RFID tags of an article by its GTIN, and one of them with its serial number', async () => {
    const { org, asset } = await setUp();
    await asset({ name: 'Ball' }, [['rfid', '3074257BF7194E4000001A85']]);
    await asset({ name: 'Ball' }, [['rfid', '3074257BF7194E4000001A86']]);
    await asset({ name: 'Bat' }, [['rfid', '3036142C8C008F8000053244']]);
    const values = async (q: string) => (await search(org, q)).tags.map(({ value }) => value);
    expect(await values('80614141123458')).toEqual(['3074257BF7194E4000001A85', '3074257BF7194E4000001A86']);
    expect(await values('(01)80614141123458(21)6790')).toEqual(['3074257BF7194E4000001A86']);
  });

  it('shows where a location is, and finds it by words of its path', async () => {
    const { org, location } = await setUp();
    const north = await location({ name: 'North hall' });
    const south = await location({ name: 'South hall' });
    const bay = await location({ name: 'Bay 2' }, north);
    await location({ name: 'Shelf 1' }, bay);
    await location({ name: 'Shelf 1' }, south);
    const { locations } = await search(org, 'shelf');
    expect(locations.map(({ path }) => path)).toEqual([['South hall'], ['North hall', 'Bay 2']]);
    const byPath = async (q: string) =>
      (await search(org, q)).locations.map(({ path, name }) => [...path, name].join(' / '));
    expect(await byPath('north shelf')).toEqual(['North hall / Bay 2 / Shelf 1']);
    expect(await byPath('South hall / Shelf 1')).toEqual(['South hall / Shelf 1']);
    expect(await byPath('west shelf')).toEqual([]);
  });

  it('finds floor plans by their location and its path, and by what a plan is called', async () => {
    const { org, location } = await setUp();
    const north = await location({ name: 'North hall' });
    const south = await location({ name: 'South hall', external_key: 'HALL-S' });
    const bay = await location({ name: 'Bay 2' }, north);
    const planning = await location({ name: 'Planning office' });
    await location({ name: 'Bay 3' }, north);
    for (const id of [south, bay, planning]) await plan(org.orgId, id);
    const viewer = await org.as('viewer');
    const found = async (q: string, title = 'Floor plan') =>
      (await viewer.search.everything({ q, plan_title: title })).plans.map((one) =>
        [...one.path, one.name].join(' / '),
      );
    expect(await found('bay')).toEqual(['North hall / Bay 2']);
    expect(await found('plan of north bay')).toEqual([]);
    expect(await found('plan north bay')).toEqual(['North hall / Bay 2']);
    expect(await found('hall-s')).toEqual(['South hall']);
    expect(await found('plan')).toEqual(['Planning office', 'South hall', 'North hall / Bay 2']);
    expect(await found('pl')).toEqual(['Planning office']);
    expect(await found('plan south', 'Drawing')).toEqual([]);
    expect(await found('draw south', 'Drawing')).toEqual(['South hall']);
    expect((await search(org, 'south')).plans).toEqual([
      { id: south, external_key: 'HALL-S', name: 'South hall', path: [] },
    ]);
    const other = await setUp();
    expect((await search(other.org, 'south')).plans).toEqual([]);
    await org.admin.locations.delete({ location_id: south });
    expect(await found('south')).toEqual([]);
  });

  it('finds a floor plan among very many', async () => {
    const { org, location } = await setUp();
    for (let n = 0; n < 210; n += 1)
      await plan(org.orgId, await location({ name: `Room ${n}`, external_key: `R-${n}` }));
    const { plans } = await search(org, 'room 207');
    expect(plans.map(({ name }) => name)).toEqual(['Room 207']);
    expect((await search(org, 'room')).plans).toHaveLength(8);
  });

  it('finds words in any order, and what has them together first', async () => {
    const { org, asset, location } = await setUp();
    await asset({ name: 'Pallet, blue, no. 42' });
    await asset({ name: 'A blue pallet' });
    await asset({ name: 'Blue box' });
    expect(names((await search(org, 'blue pallet')).assets)).toEqual(['A blue pallet', 'Pallet, blue, no. 42']);
    expect(names((await search(org, '42 PALLET')).assets)).toEqual(['Pallet, blue, no. 42']);
    const hall = await location({ name: 'North hall' });
    await location({ name: 'Shelf 1' }, hall);
    expect(names((await search(org, 'shelf north')).locations)).toEqual(['Shelf 1']);
    await org.reader({ name: 'Dock door 7' });
    expect(names((await search(org, 'door dock')).readers)).toEqual(['Dock door 7']);
    expect(names((await search(org, 'door gate')).readers)).toEqual([]);
  });

  it('finds assets by words of their tags and of the path of their location, in any order, as the table does', async () => {
    const { org, asset, location } = await setUp();
    const ward = await location({ name: 'Ward 3A' });
    const room = await location({ name: 'Room 5' }, ward);
    const pump = await asset({ name: 'Infusion pump' }, [['barcode', 'SERIAL7788']]);
    const seen = new Date();
    const place = (assetId: number, locationId: number) =>
      world.db.assetPosition.create({
        data: { orgId: org.orgId, assetId, locationId, assetLastSeen: seen, locatedSince: seen },
      });
    await place(pump, room);
    await place(await asset({ name: 'Infusion pump elsewhere' }), await location({ name: 'Ward 4B' }));
    await place(await asset({ name: 'Bed' }), ward);
    const viewer = await org.as('viewer');
    const both = async (q: string) => {
      const found = await search(org, q);
      const table = await viewer.assets.table({ q, sort: 'name' });
      const exported = await viewer.assets.exportPage({ q });
      expect(names(table.data)).toEqual(names(found.assets));
      expect(names(exported.data)).toEqual(names(table.data));
      expect(table.total_count).toBe(found.asset_count);
      return names(found.assets);
    };
    expect(await both('ward 3a pump')).toEqual(['Infusion pump']);
    expect(await both('pump room ward')).toEqual(['Infusion pump']);
    expect(await both('ward serial7788')).toEqual(['Infusion pump']);
    expect(await both('ward pump')).toEqual(['Infusion pump', 'Infusion pump elsewhere']);
    // A location alone is no asset's name.
    expect(await both('ward 3a')).toEqual([]);
    expect((await search(org, 'pump ward 3a')).assets).toMatchObject([
      { location: { path: [{ name: 'Ward 3A' }, { name: 'Room 5' }] }, asset_last_seen: seen.toISOString() },
    ]);
    for (const q of ['pmup', 'punp', 'pum', 'pumpe', 'infusoin', 'ifnusion', 'infusionn pump', 'PUPM serial7788']) {
      expect(await both(q), q).toContain('Infusion pump');
    }
    expect(await both('wrad 3a pmup')).toEqual(['Infusion pump']);
    expect(await both('wrd 3a pmp')).toEqual(['Infusion pump']);
    expect(await both('drill')).toEqual([]);
  });

  it('corrects neither numbers nor words that exist', async () => {
    const { org, asset } = await setUp();
    await asset({ name: 'Pump', external_key: 'PMP-1001' });
    await asset({ name: 'Bump' });
    expect((await search(org, 'PMP-1002')).assets).toEqual([]);
    expect(names((await search(org, 'bump')).assets)).toEqual(['Bump']);
    expect((await search(org, 'bump 1001')).assets).toEqual([]);
  });

  it('finds readers by name, and for administrators by user name', async () => {
    const { org } = await setUp();
    const { mqtt_username: user } = await org.reader({ name: 'Dock door' });
    await org.reader({ name: 'Back door' });
    expect(names((await search(org, 'DOOR', 'admin')).readers)).toEqual(['Back door', 'Dock door']);
    expect(names((await search(org, 'dock', 'admin')).readers)).toEqual(['Dock door']);
    expect((await search(org, user, 'admin')).readers).toMatchObject([{ name: 'Dock door', mqtt_username: user }]);
    expect((await search(org, user, 'manager')).readers).toEqual([]);
    expect((await search(org, 'dock', 'viewer')).readers).toMatchObject([{ name: 'Dock door', mqtt_username: null }]);
  });

  it('finds what has expired or is inactive, and nothing that is deleted', async () => {
    const { org, asset, location } = await setUp();
    const expired = await asset({ name: 'Winch expired' });
    await world.db.asset.update({ where: { id: expired }, data: { validTo: new Date(0), isActive: false } });
    const gone = await asset({ name: 'Winch gone' }, [['rfid', 'WINCH']]);
    await org.deleteAsset(gone);
    await org.deleteLocation(await location({ name: 'Winch room' }));
    const found = await search(org, 'winch');
    expect(found).toEqual({
      ...nothing,
      assets: [
        {
          id: expired,
          external_key: expect.any(String),
          name: 'Winch expired',
          is_active: false,
          kind: null,
          has_problem: false,
          location: null,
          containers: [],
          asset_last_seen: null,
          placement: null,
          photo_id: null,
        },
      ],
      asset_count: 1,
    });
  });

  it('returns at most eight of each', async () => {
    const { org, asset, location } = await setUp();
    for (let n = 0; n < 12; n += 1) {
      await asset({ name: `Crate ${n}` }, [['rfid', `CRATE${n}`]]);
      await location({ name: `My crate place ${n}` });
    }
    const { assets, tags, locations } = await search(org, 'crate');
    expect([assets.length, tags.length, locations.length]).toEqual([8, 8, 8]);
  });

  it('finds nothing of another organization', async () => {
    const [one, other] = [await setUp(), await setUp()];
    await other.asset({ name: 'Winch', external_key: 'W-1' }, [['rfid', 'W-1']]);
    await other.location({ name: 'W-1 place' });
    await other.org.reader({ name: 'W-1 door' });
    for (const q of ['w', 'w-1', 'W-1 place']) {
      const found = await search(one.org, q, 'admin');
      expect(found).toEqual(nothing);
    }
  });

  it('finds nothing for an empty text, and rejects values that are not texts', async () => {
    const { org } = await setUp();
    expect(await search(org, '   ')).toEqual(nothing);
    const viewer = await org.as('viewer');
    expect((await refusalOf(viewer.search.everything({ q: '' }))).fields).toMatchObject([{ code: 'too_short' }]);
    expect((await refusalOf(viewer.search.everything({ q: 'a\0b' }))).fields).toMatchObject([{ field: 'q' }]);
  });
});
