import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

// Twelve assets in two halls of one site. What a page has to show is worked out from the list below by plain code.

type Thing = {
  key: string;
  name: string;
  at?: 'bay' | 'hall' | 'yard';
  seenDaysAgo?: number;
  movedDaysAgo?: number;
  inactive?: true;
  window?: 'over' | 'ahead';
  tag?: string;
  deleted?: true;
};

const things: Thing[] = [
  { key: 'A-01', name: 'Forklift', at: 'bay', seenDaysAgo: 0.1, movedDaysAgo: 0.2, tag: 'E28011900001' },
  { key: 'A-02', name: 'forklift, old', at: 'hall', seenDaysAgo: 10, movedDaysAgo: 30, inactive: true },
  { key: 'A-03', name: 'Pallet 7', at: 'yard', seenDaysAgo: 40, movedDaysAgo: 40, tag: 'E28011900003' },
  { key: 'A-04', name: 'Pallet 8', tag: '697929110035' },
  { key: 'B-05', name: 'Ätzbad', at: 'bay', seenDaysAgo: 2, movedDaysAgo: 3, window: 'over' },
  { key: 'B-06', name: 'Zange', at: 'bay', seenDaysAgo: 0.01, movedDaysAgo: 0.01, window: 'ahead' },
  { key: 'B-07', name: 'Zange', at: 'hall', seenDaysAgo: 8, movedDaysAgo: 9 },
  { key: 'B-08', name: 'a drill 100%', inactive: true },
  { key: 'C-09', name: 'Under_score', at: 'yard', seenDaysAgo: 0.5, movedDaysAgo: 5 },
  { key: 'C-10', name: 'Gone', at: 'bay', seenDaysAgo: 0.1, movedDaysAgo: 0.1, deleted: true },
];

const live = things.filter(({ deleted }) => !deleted);

const world = await sharedScanWorld();
let org: ScanOrganization;
let viewer: AppCaller;
const locations: Record<string, number> = {};

beforeAll(async () => {
  org = await world.organization();
  viewer = await org.as('viewer');
  const create = async (key: string, parent: number | null) => {
    const { data } = await org.admin.locations.create({ name: key, external_key: key, parent_id: parent });
    locations[key] = data.id;
    return data.id;
  };
  const site = await create('site', null);
  await create('bay', await create('hall', site));
  await create('yard', site);
  for (const thing of things) await add(thing);
  // No two at one instant, however fast they were made.
  await world.db.$executeRaw`
    UPDATE assets SET created_at = created_at + id * interval '10 ms', updated_at = updated_at + id * interval '10 ms'
     WHERE org_id = ${org.orgId}`;
});

const natural = new Intl.Collator('und', { numeric: true });
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

async function add({ key, name, at, seenDaysAgo, movedDaysAgo = 0, ...thing }: Thing): Promise<void> {
  const { db } = world;
  const window = {
    valid_from: daysAgo(thing.window === 'ahead' ? -1 : 5).toISOString(),
    ...(thing.window === 'over' ? { valid_to: daysAgo(1).toISOString() } : {}),
  };
  const tags =
    thing.tag === undefined
      ? []
      : [{ tag_type: thing.tag.startsWith('E') ? ('rfid' as const) : ('barcode' as const), value: thing.tag }];
  const { data } = await org.admin.assets.create({
    name,
    external_key: key,
    is_active: !thing.inactive,
    tags,
    ...window,
  });
  if (seenDaysAgo !== undefined) {
    await db.assetPosition.create({
      data: {
        orgId: org.orgId,
        assetId: data.id,
        locationId: at === undefined ? null : (locations[at] ?? 0),
        assetLastSeen: daysAgo(seenDaysAgo),
        locatedSince: daysAgo(movedDaysAgo),
      },
    });
  }
  if (thing.deleted) await org.admin.assets.delete({ asset_id: data.id });
}

type Input = Partial<Parameters<AppCaller['assets']['table']>[0]>;

const table = (input: Input = {}, caller = viewer) => caller.assets.table({ sort: undefined, ...input });

async function keys(input: Input = {}): Promise<string[]> {
  const page = await table(input);
  expect(page).toMatchObject({
    total_count: page.data.length,
    total_is_exact: true,
    reachable_count: page.data.length,
  });
  return page.data.map(({ external_key: key }) => key);
}

const keysWhere = (holds: (thing: Thing) => boolean) => live.filter(holds).map(({ key }) => key);
const isIn =
  (...at: string[]) =>
  (thing: Thing) =>
    thing.at !== undefined && at.includes(thing.at);

const filters: [string, () => Input, (thing: Thing) => boolean][] = [
  ['nothing', () => ({}), () => true],
  ['active ones', () => ({ is_active: true }), ({ inactive }) => !inactive],
  ['inactive ones', () => ({ is_active: false }), ({ inactive }) => inactive === true],
  ['those in effect', () => ({ in_effect: true }), ({ window }) => window === undefined],
  ['those out of effect', () => ({ in_effect: false }), ({ window }) => window !== undefined],
  ['a location', () => ({ location_id: locations['bay'] ?? 0 }), isIn('bay')],
  ['a location and what is below', () => ({ location_id: locations['hall'] ?? 0 }), isIn('hall', 'bay')],
  ['the top of the tree', () => ({ location_id: locations['site'] ?? 0 }), isIn('hall', 'bay', 'yard')],
  ['those ever seen', () => ({ seen: true }), ({ seenDaysAgo }) => seenDaysAgo !== undefined],
  ['those never seen', () => ({ seen: false }), ({ seenDaysAgo }) => seenDaysAgo === undefined],
  ['those not seen for a week', () => ({ unseen_days: 7 }), ({ seenDaysAgo = 99 }) => seenDaysAgo > 7],
  [
    'those seen once, but not for a week',
    () => ({ unseen_days: 7, seen: true }),
    ({ seenDaysAgo = 0 }) => seenDaysAgo > 7,
  ],
  [
    'a text of those not seen for a week',
    () => ({ unseen_days: 7, q: 'pallet' }),
    ({ key }) => key === 'A-03' || key === 'A-04',
  ],
  ['those that moved', () => ({ moved_since: daysAgo(4).toISOString() }), ({ movedDaysAgo = 99 }) => movedDaysAgo < 4],
  ['a name', () => ({ q: 'FORKLIFT' }), ({ name }) => /forklift/i.test(name)],
  ['a letter beyond ASCII', () => ({ q: 'ätzb' }), ({ name }) => name === 'Ätzbad'],
  ['a key', () => ({ q: 'b-0' }), ({ key }) => key.startsWith('B-0')],
  ['a tag', () => ({ q: '11900003' }), ({ tag }) => tag === 'E28011900003'],
  ['a tag in another spelling', () => ({ q: 'e2 80 11 90 00 03' }), ({ tag }) => tag === 'E28011900003'],
  ['a barcode with a digit more', () => ({ q: '0697929110035' }), ({ tag }) => tag === '697929110035'],
  ['the first letter of key or name', () => ({ q: 'z' }), ({ name }) => name === 'Zange'],
  ['two letters', () => ({ q: 'a-' }), ({ key }) => key.startsWith('A-')],
  ['wildcards as they are', () => ({ q: '100%' }), ({ name }) => name.includes('100%')],
  ['an underscore as it is', () => ({ q: 'der_sco' }), ({ key }) => key === 'C-09'],
  ['what is not there', () => ({ q: 'no such thing' }), () => false],
  [
    'a location and a state',
    () => ({ location_id: locations['site'] ?? 0, is_active: true }),
    (t) => !t.inactive && t.at !== undefined,
  ],
  [
    'a location, a text and a time',
    () => ({ location_id: locations['hall'] ?? 0, q: 'zange', unseen_days: 1 }),
    ({ key }) => key === 'B-07',
  ],
  ['a text of those never seen', () => ({ q: 'pallet', seen: false }), ({ key }) => key === 'A-04'],
  ['inactive ones that were seen', () => ({ seen: true, is_active: false }), ({ key }) => key === 'A-02'],
  [
    'never seen, nor for a day',
    () => ({ seen: false, unseen_days: 1 }),
    ({ seenDaysAgo }) => seenDaysAgo === undefined,
  ],
];

const orders: [string, (thing: Thing) => string | number][] = [
  ['external_key', ({ key }) => key],
  ['name', ({ name }) => name],
  ['created_at', ({ key }) => things.findIndex((thing) => thing.key === key)],
  ['updated_at', ({ key }) => things.findIndex((thing) => thing.key === key)],
  ['asset_last_seen', ({ seenDaysAgo = 0 }) => -seenDaysAgo],
];

describe('the order by location and by a custom detail', () => {
  async function detailed() {
    const own = await world.organization();
    const shelf2 = await own.location({ name: 'Shelf 2' });
    const shelf10 = await own.location({ name: 'Shelf 10' });
    for (const [key, locationId, detail] of [
      ['A', shelf10, { Serial: '10' }],
      ['B', null, { Serial: '9' }],
      ['C', shelf2, {}],
      ['D', shelf2, { Serial: 'x"y' }],
    ] as const) {
      const { data } = await own.admin.assets.create({ name: key, external_key: key, metadata: detail });
      if (locationId === null) continue;
      await world.db.assetPosition.create({
        data: {
          orgId: own.orgId,
          assetId: data.id,
          locationId,
          assetLastSeen: new Date(),
          locatedSince: new Date(),
        },
      });
    }
    const person = await own.as('viewer');
    return async (given: Input) =>
      (await person.assets.table({ sort: undefined, ...given })).data.map(({ external_key: key }) => key);
  }

  it('has numbers in the order of their values, and assets without a value last, both ways', async () => {
    const keysOf = await detailed();
    expect(await keysOf({ sort: 'location' })).toEqual(['C', 'D', 'A', 'B']);
    expect(await keysOf({ sort: '-location' })).toEqual(['A', 'C', 'D', 'B']);
    expect(await keysOf({ sort_detail: { key: 'Serial', descending: false } })).toEqual(['B', 'A', 'D', 'C']);
    expect(await keysOf({ sort_detail: { key: 'Serial', descending: true } })).toEqual(['D', 'A', 'B', 'C']);
    expect(await keysOf({ q: 'A', sort: 'location' })).toEqual(['A']);
    expect(await keysOf({ sort_detail: { key: 'No such', descending: true } })).toEqual(['A', 'B', 'C', 'D']);
  });
});

describe.each(filters)('a table narrowed to %s', (_, input, holds) => {
  it.each(orders)('is in the order of %s, both ways', async (field, valueOf) => {
    const isByTime = field === 'asset_last_seen';
    const wanted = things.filter(
      (thing) =>
        !thing.deleted && holds(thing) && (!isByTime || thing.seenDaysAgo !== undefined || input().seen === false),
    );
    const compare = (one: Thing, other: Thing) => {
      const [a, b] = isByTime && input().seen === false ? [one.key, other.key] : [valueOf(one), valueOf(other)];
      if (typeof a === 'string' && typeof b === 'string') return natural.compare(a, b);
      return a < b ? -1 : a > b ? 1 : 0;
    };
    const upwards = wanted.toSorted(compare).map(({ key }) => key);
    expect(await keys({ ...input(), sort: field })).toEqual(upwards);
    if (isByTime && input().seen === false) return;
    const downwards = wanted.toSorted((one, other) => -compare(one, other)).map(({ key }) => key);
    expect(await keys({ ...input(), sort: `-${field}` })).toEqual(downwards);
  });

  it('comes in pages without gap or overlap', async () => {
    const wanted = keysWhere(holds);
    for (const limit of [1, 3, 200]) {
      const found: string[] = [];
      for (let offset = 0; offset < wanted.length + limit; offset += limit) {
        const page = await table({ ...input(), limit, offset });
        expect(page).toMatchObject({ limit, offset, total_count: wanted.length });
        found.push(...page.data.map(({ external_key: key }) => key));
      }
      expect(found).toEqual(wanted);
    }
  });
});

describe('a row of the table', () => {
  it('says where the asset is and since when', async () => {
    const { data } = await table({ q: 'A-01' });
    expect(data).toMatchObject([
      {
        external_key: 'A-01',
        tags: [{ tag_type: 'rfid', value: 'E28011900001' }],
        location: {
          id: locations['bay'],
          is_deleted: false,
          path: [{ external_key: 'site' }, { external_key: 'hall' }, { external_key: 'bay' }],
        },
        asset_last_seen: expect.stringMatching(/Z$/),
        located_since: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('says nothing of where an asset is that was never seen', async () => {
    const { data } = await table({ q: 'A-04' });
    expect(data).toMatchObject([{ location: null, asset_last_seen: null, located_since: null }]);
  });
});

it('another organization sees nothing, and not the locations either', async () => {
  const outsider = await (await world.organization()).as('admin');
  expect(await table({}, outsider)).toMatchObject({ data: [], total_count: 0 });
  expect(await table({ q: 'forklift' }, outsider)).toMatchObject({ data: [], total_count: 0 });
  expect(await refusalOf(table({ location_id: locations['bay'] ?? 0 }, outsider))).toEqual({
    type: 'not_found',
    detail: 'Location not found',
  });
});

it.each([{ sort: 'place' }, { unseen_days: 0 }, { limit: 201 }, { q: '' }, { moved_since: 'today' }])(
  'rejects %j',
  async (input) => {
    expect(await refusalOf(table(input))).toMatchObject({ type: 'validation_error' });
  },
);
