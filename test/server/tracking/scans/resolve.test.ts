import { describe, expect, it } from 'vitest';
import { normalForm } from '../../../../server/things/tags/normal-form.js';
import { refusalOf } from '../../../support/caller.js';
import { createPlanReader, rowsBy, rowsOf } from '../../../support/plans.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

async function setUp() {
  const org = await world.organization();
  const viewer = await org.as('viewer');
  /** The kinds and ids that values resolve to. */
  const resolve = async (...values: string[]) =>
    (await viewer.scans.resolve({ values })).map(({ matches }) => matches.map(({ kind, id }) => [kind, id]));
  return { org, viewer, resolve };
}

describe('scans.resolve', () => {
  it('answers in the order of the values, of all types, as stored or by normal form', async () => {
    const { org, viewer, resolve } = await setUp();
    const rfid = await org.asset({ tags: [['rfid', 'E280AB']] });
    const ble = await org.asset({ tags: [['ble', 'AC:23:3F:A0:32:08']], isActive: false });
    const barcode = await org.asset({ tags: [['barcode', '4006381333931']] });
    const shelf = await org.location({ tags: [['barcode', 'SHELF-1']] });
    expect(
      await resolve('4006381333931', 'nobody', 'ac233fa03208', 'E280AB', 'e280ab', 'shelf-1', 'E280AB', 'E2-80:AB'),
    ).toEqual([
      [['asset', barcode]],
      [],
      [['asset', ble]],
      [['asset', rfid]],
      [['asset', rfid]],
      [['location', shelf]],
      [['asset', rfid]],
      [],
    ]);
    const [answer] = await viewer.scans.resolve({ values: ['AC233FA03208'] });
    const { externalKey } = await world.db.asset.findUniqueOrThrow({ where: { id: ble } });
    expect(answer).toEqual({
      value: 'AC233FA03208',
      matches: [
        {
          kind: 'asset',
          id: ble,
          name: 'A thing',
          external_key: externalKey,
          is_active: false,
          tag_type: 'ble',
          where: null,
          belongs_to: null,
          containers: [],
          holds_assets: false,
        },
      ],
    });
    expect(await viewer.scans.resolve({ values: [] })).toEqual([]);
  });

  it('puts first what a submission would place', async () => {
    const { org, resolve } = await setUp();
    const location = await org.location();
    const loose = await org.asset({ tags: [['rfid', 'AB-1']] });
    const exact = await org.asset({
      tags: [
        ['barcode', 'ab-1'],
        ['rfid', 'Ab-1x'],
      ],
    });
    const shelf = await org.location({ tags: [['rfid', 'X1']] });
    const labeled = await org.asset({
      tags: [
        ['barcode', 'X1'],
        ['ble', 'x1'],
      ],
    });
    const values = ['ab-1', 'AB-1', 'X1', 'x1'];
    const matches = await resolve(...values);
    expect(matches).toEqual([
      [
        ['asset', exact],
        ['asset', loose],
      ],
      [
        ['asset', loose],
        ['asset', exact],
      ],
      [
        ['asset', labeled],
        ['location', shelf],
      ],
      [
        ['asset', labeled],
        ['location', shelf],
      ],
    ]);
    const { results } = await org.admin.scans.submit({
      submission_id: '01J00000000000000000000000',
      location_id: location,
      reads: values.map((value) => ({ value })),
    });
    expect(results).toEqual(matches.map(([first]) => ({ status: 'placed', asset_id: first?.[1] })));
  });

  it('takes the barcodes of one article for one, with any number of digits', async () => {
    const { org, resolve } = await setUp();
    const articles = [
      ['697929110035', '0697929110035', '00697929110035'],
      ['4006381333931', '04006381333931', '(01)04006381333931'],
      ['40170725', '00000040170725', '0000040170725'],
    ];
    for (const spellings of articles) {
      for (const stored of spellings) {
        const other = await world.organization();
        const caller = await other.as('viewer');
        const asset = await other.asset({ tags: [['barcode', stored]] });
        const found = await caller.scans.resolve({ values: spellings });
        expect(found.map(({ matches }) => matches.map(({ id }) => id))).toEqual(spellings.map(() => [asset]));
      }
    }
    const mistyped = await org.asset({ tags: [['rfid', '036000291452']] });
    expect(await resolve('0036000291452')).toEqual([[['asset', mistyped]]]);
    // Numbers with a wrong check digit are compared digit by digit; what is stored as scanned comes first.
    const exact = await org.asset({ tags: [['barcode', '0697929110035']] });
    const shorter = await org.asset({ tags: [['barcode', '697929110035']] });
    await org.asset({ tags: [['barcode', '697929110036']] });
    expect(await resolve('0697929110035', '697929110035', '0697929110036')).toEqual([
      [
        ['asset', exact],
        ['asset', shorter],
      ],
      [
        ['asset', shorter],
        ['asset', exact],
      ],
      [],
    ]);
    const values = [
      '697929110035',
      '0697929110036',
      '40170725',
      '40170726',
      'e280',
      '123456789012',
      '１２３４５６７０',
    ];
    const rows = await world.db.$queryRaw<{ form: string }[]>`
      SELECT tag_normal_form('barcode', v.value) AS form
        FROM unnest(${values}::text[]) WITH ORDINALITY AS v (value, no) ORDER BY v.no`;
    expect(rows.map(({ form }) => form)).toEqual(values.map((value) => normalForm('barcode', value)));
  });

  it('finds keys and label addresses as a keyboard with its Caps Lock on types them', async () => {
    const { org, resolve } = await setUp();
    const upper = await org.asset({ externalKey: 'FORKLIFT-7' });
    const lower = await org.location({ externalKey: 'hall-1' });
    const both = [await org.asset({ externalKey: 'saw' }), await org.asset({ externalKey: 'SAW' })];
    const { baseUrl } = world.settings;
    expect(await resolve('forklift-7', 'HALL-1', 'SAW', 'saw')).toEqual([
      [['asset', upper]],
      [['location', lower]],
      [
        ['asset', both[1]],
        ['asset', both[0]],
      ],
      [
        ['asset', both[0]],
        ['asset', both[1]],
      ],
    ]);
    expect(await resolve(`${baseUrl}/A/${upper}`.toUpperCase(), `/L/${lower}`)).toEqual([
      [['asset', upper]],
      [['location', lower]],
    ]);
    // The addresses of pages, which people print themselves.
    expect(
      await resolve(`${baseUrl}/assets/${upper}?tab=history`, `${baseUrl}/locations/${lower}`, `${baseUrl}/assets`),
    ).toEqual([[['asset', upper]], [['location', lower]], []]);
  });

  it('finds a code of GS1 in each of its spellings, and never another thing of the article', async () => {
    const { org, resolve } = await setUp();
    const one = await org.asset({ tags: [['barcode', '010400638133393121SER1']] });
    const two = await org.asset({ tags: [['barcode', '(01)04006381333931(21)SER2']] });
    await org.asset({ tags: [['barcode', '4006381333931']] });
    expect(
      await resolve(
        'https://example.com/01/04006381333931/21/SER1',
        '(01)04006381333931(17)261231(21)SER2',
        ']C1010400638133393121SER2',
        '(01)04006381333931(21)SER3',
      ),
    ).toEqual([[['asset', one]], [['asset', two]], [['asset', two]], []]);
  });

  it('finds an RFID tag by the code of GS1 on the label, whatever its filter and company prefix', async () => {
    const { org, resolve } = await setUp();
    const one = await org.asset({ tags: [['rfid', '30 74 25 7B F7 19 4E 40 00 00 1A 85']] });
    const pallet = await org.asset({ tags: [['rfid', '3174257BF4499602D2000000']] });
    expect(
      await resolve(
        '(01)80614141123458(21)6789',
        'https://id.gs1.org/01/80614141123458/21/6789',
        '(00)106141412345678908',
        '(01)80614141123458(21)6788',
        '80614141123458',
      ),
    ).toEqual([[['asset', one]], [['asset', one]], [['asset', pallet]], [], []]);
  });

  it('knows assets and locations without tags by their keys and labels, after tags', async () => {
    const { org, viewer, resolve } = await setUp();
    const hall = await org.location({ externalKey: 'HALL-1' });
    const forklift = await org.asset({ externalKey: 'FORKLIFT-7' });
    const tagged = await org.asset({ externalKey: 'OTHER', tags: [['barcode', 'PUMP-9']] });
    const pump = await org.asset({ externalKey: 'PUMP-9' });
    const other = await world.organization();
    const foreign = await other.asset({ externalKey: 'THEIRS' });
    const { baseUrl } = world.settings;
    expect(
      await resolve(
        'HALL-1',
        'FORKLIFT-7',
        'PUMP-9',
        'THEIRS',
        `${baseUrl}/l/${hall}`,
        `/a/${forklift}`,
        `${baseUrl}/a/${foreign}`,
        `https://example.com/a/${forklift}`,
      ),
    ).toEqual([
      [['location', hall]],
      [['asset', forklift]],
      [
        ['asset', tagged],
        ['asset', pump],
      ],
      [],
      [['location', hall]],
      [['asset', forklift]],
      [],
      [],
    ]);
    expect((await viewer.scans.resolve({ values: ['HALL-1'] }))[0]?.matches[0]?.tag_type).toBeNull();
    const { results } = await org.admin.scans.submit({
      submission_id: '01J00000000000000000000002',
      location_id: hall,
      reads: [{ value: 'FORKLIFT-7' }, { value: `/a/${pump}` }, { value: 'HALL-1' }, { value: 'NOBODY' }],
    });
    expect(results).toEqual([
      { status: 'placed', asset_id: forklift },
      { status: 'placed', asset_id: pump },
      { status: 'location', location: { id: hall, name: 'A thing' } },
      { status: 'unknown' },
    ]);
    expect((await org.admin.scans.unknownTags()).data.map(({ value }) => value)).toEqual(['NOBODY']);
    await org.deleteAsset(forklift);
    expect(await resolve('FORKLIFT-7', `/a/${forklift}`)).toEqual([[], []]);
  });

  it('returns where it is', async () => {
    const { org, viewer } = await setUp();
    const root = await org.location();
    const shelf = await org.location({ tags: [['rfid', 'SHELF']] });
    await world.db.location.update({ where: { id: shelf }, data: { parentId: root, name: 'Shelf' } });
    const asset = await org.asset({ tags: [['rfid', 'BOX']] });
    await org.admin.scans.submit({
      submission_id: '01J00000000000000000000001',
      location_id: shelf,
      reads: [{ asset_id: asset }],
    });
    const whereOf = async () =>
      (await viewer.scans.resolve({ values: ['SHELF', 'BOX'] })).map(({ matches }) => matches[0]?.where);
    expect(await whereOf()).toMatchObject([{ id: root }, { id: shelf, name: 'Shelf' }]);
    await org.deleteLocation(shelf);
    expect(await whereOf()).toEqual([undefined, null]);
  });

  it('finds nothing deleted, nothing of other organizations, and is rejected without a session', async () => {
    const { org, resolve } = await setUp();
    const other = await world.organization();
    await other.asset({ tags: [['rfid', 'E280AB']] });
    const gone = await org.asset({ tags: [['rfid', 'GONE']] });
    await org.deleteAsset(gone);
    expect(await resolve('E280AB', 'GONE')).toEqual([[], []]);
  });

  it('rejects invalid values, and more than 500 values', async () => {
    const { viewer } = await setUp();
    const refused = async (values: unknown) =>
      (await refusalOf(viewer.scans.resolve({ values: values as string[] }))).fields?.map(({ code }) => code);
    expect(await refused(undefined)).toEqual(['required']);
    expect(await refused('a')).toEqual(['invalid_value']);
    expect(await refused([1])).toEqual(['invalid_value']);
    expect(await refused([''])).toEqual(['too_short']);
    expect(await refused(['a\u0000'])).toEqual(['invalid_value']);
    expect(await refused(['a'.repeat(256)])).toEqual(['too_long']);
    expect(await refused(Array.from({ length: 501 }, () => 'a'))).toEqual(['too_long']);
    expect(await viewer.scans.resolve({ values: Array.from({ length: 500 }, () => '🏭'.repeat(255)) })).toHaveLength(
      500,
    );
  });

  it('reads only the tags it names, however many there are', async () => {
    const { org, resolve } = await setUp();
    const { orgId } = org;
    await world.db.$executeRaw`
      INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
      SELECT ${orgId}, 'A-' || n, 'A', now(), now(), now() FROM generate_series(1, 20000) n`;
    // Otherwise a connection that has attached tags before would check foreign keys as in the small table of then.
    await world.db.$executeRawUnsafe('ANALYZE assets');
    await world.db.$executeRaw`
      INSERT INTO tags (org_id, asset_id, tag_type, value)
      SELECT ${orgId}, id, CASE WHEN id % 2 = 0 THEN 'rfid' ELSE 'barcode' END, 'TAG' || row_number() OVER (ORDER BY id)
        FROM assets WHERE org_id = ${orgId}`;
    await world.db.$executeRaw`
      INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
      SELECT org_id, id, now(), now() FROM assets WHERE org_id = ${orgId}`;
    await world.db.$executeRawUnsafe('VACUUM ANALYZE');
    await using plans = await createPlanReader(world.databaseUrl);
    const values = Array.from({ length: 500 }, (_, n) => (n % 2 === 0 ? `tag${1 + n * 37}` : `NONE${n}`));
    const nodes = await plans.nodesOf(() => resolve(...values));
    // A plan contains means of what its loops read, in hundredths.
    const most = 250 + 1500 / 100;
    expect(rowsBy(nodes, 'tags_live_normal_form')).toBeGreaterThan(0);
    for (const table of ['tags', 'assets', 'asset_positions'])
      expect([table, rowsOf(nodes, table) <= most]).toEqual([table, true]);
  });
});
