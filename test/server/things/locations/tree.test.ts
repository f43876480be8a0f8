import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { growTree } from './tree-model.js';

const world = await sharedScanWorld();

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A tree given as paths; the ids by path. */
async function createTree(org: ScanOrganization, paths: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const path of paths) {
    const steps = path.split(' > ');
    const name = steps.at(-1) ?? '';
    const parentId = ids.get(steps.slice(0, -1).join(' > '));
    const made = await org.admin.locations.create({ name, ...(parentId === undefined ? {} : { parent_id: parentId }) });
    ids.set(path, made.data.id);
  }
  return ids;
}

describe('locations.level', () => {
  it.each([1, 2, 3])('counts as a plain model of a random tree does (%i)', async (seed) => {
    const org = await world.organization();
    const model = await growTree(world, org, { seed });
    // Another organization's tree is counted nowhere.
    await growTree(world, await world.organization(), { seed: seed + 100, locations: 5, assets: 20 });
    const open: (number | null)[] = [null];
    for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
      const { data, total_count } = await org.admin.locations.level({ parent_id: parent, limit: 200 });
      const expected = model.childrenOf(parent);
      expect(total_count).toBe(expected.length);
      expect(new Set(data.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
      for (const node of data) {
        expect(node).toMatchObject({
          parent_id: parent,
          children_count: model.childrenOf(node.id).length,
          assets_here: model.assetsAt(node.id, false).length,
          assets_below: model.assetsAt(node.id, true).length,
        });
      }
      const names = data.map(({ name }) => name);
      expect(names).toEqual([...names].sort(natural.compare));
      open.push(...data.map(({ id }) => id));
    }
  });

  it('pages, and has the count of the level on each page', async () => {
    const org = await world.organization();
    await createTree(org, ['Rack 10', 'rack 9', 'Rack 1', 'Rack 100', 'Rack 2']);
    const pages = await Promise.all(
      [0, 2, 4, 6].map((offset) => org.admin.locations.level({ parent_id: null, limit: 2, offset })),
    );
    expect(pages.map(({ data }) => data.map(({ name }) => name))).toEqual([
      ['Rack 1', 'Rack 2'],
      ['rack 9', 'Rack 10'],
      ['Rack 100'],
      [],
    ]);
    expect(pages.map(({ total_count }) => total_count)).toEqual([5, 5, 5, 5]);
  });

  it('rejects a parent of another organization, and a deleted one', async () => {
    const org = await world.organization();
    const other = await (await world.organization()).location();
    const gone = await org.location();
    await org.deleteLocation(gone);
    for (const parent_id of [other, gone, 2147483647]) {
      expect(await refusalOf(org.admin.locations.level({ parent_id }))).toEqual({
        type: 'not_found',
        detail: 'Location not found',
      });
    }
  });
});

describe('locations.path', () => {
  it('leads from the top to the location', async () => {
    const org = await world.organization();
    const ids = await createTree(org, ['Site', 'Site > Hall 2', 'Site > Hall 2 > Rack 4']);
    const path = await org.admin.locations.path({ location_id: ids.get('Site > Hall 2 > Rack 4') as number });
    expect(path.map(({ name }) => name)).toEqual(['Site', 'Hall 2', 'Rack 4']);
    expect(path.map(({ id }) => id)).toEqual([...ids.values()]);
    const outsider = await world.organization();
    expect(await refusalOf(outsider.admin.locations.path({ location_id: path[0]?.id as number }))).toMatchObject({
      type: 'not_found',
    });
  });
});

describe('locations.search', () => {
  const paths = [
    'North',
    'North > Hall 1',
    'North > Hall 1 > Rack 2',
    'North > Hall 1 > Rack 4',
    'North > Hall 2',
    'North > Hall 2 > Rack 4',
    'North > Hall 2 > Rack 10',
    'South',
    'South > Halle 20',
    'South > Halle 20 > Regal ΣΟΦΟΣ',
    'South > 100% dry_room',
  ];
  let org: ScanOrganization;
  beforeAll(async () => {
    org = await world.organization();
    await createTree(org, paths);
    await createTree(await world.organization(), ['Rack 4 of another organization']);
  });

  async function search(q?: string, limit?: number) {
    const found = await org.admin.locations.search({
      ...(q === undefined ? {} : { q }),
      ...(limit === undefined ? {} : { limit }),
    });
    return found.map(({ path }) => path.map(({ name }) => name).join(' > '));
  }

  it('finds locations by words of the whole path, in any order', async () => {
    expect((await search('hall 2 rack')).slice(0, 2)).toEqual(['North > Hall 2 > Rack 4', 'North > Hall 2 > Rack 10']);
    expect((await search('rack hall 2')).slice(0, 2)).toEqual(['North > Hall 2 > Rack 4', 'North > Hall 2 > Rack 10']);
    expect(await search('north rack 4')).toEqual(['North > Hall 1 > Rack 4', 'North > Hall 2 > Rack 4']);
    expect(await search('North / Hall 2 / Rack 4')).toEqual(['North > Hall 2 > Rack 4']);
  });

  it('returns exact names first, then names that begin with the text', async () => {
    expect((await search('hall 2'))[0]).toBe('North > Hall 2');
    expect((await search('north'))[0]).toBe('North');
    expect((await search('hal')).slice(0, 2)).toEqual(['North > Hall 1', 'North > Hall 2']);
  });

  it('finds by key, ignores case in any script, and takes signs as they are', async () => {
    expect(await search('loc-0001')).toEqual(['North']);
    expect(await search('σοφος')).toEqual(['South > Halle 20 > Regal ΣΟΦΟΣ']);
    expect(await search('100%')).toEqual(['South > 100% dry_room']);
    expect(await search('y_r')).toEqual(['South > 100% dry_room']);
    expect(await search('%')).toEqual(['South > 100% dry_room']);
    expect(await search('nowhere')).toEqual([]);
  });

  it('returns the first locations by path for an empty text', async () => {
    const inOrder = [...paths].sort((a, b) => natural.compare(a.replaceAll(' > ', '\0'), b.replaceAll(' > ', '\0')));
    expect(await search()).toEqual(inOrder);
    expect(await search(undefined, 4)).toEqual(inOrder.slice(0, 4));
    expect(await search(' ', 2)).toEqual(inOrder.slice(0, 2));
  });

  it('omits deleted locations, and marks inactive ones', async () => {
    const own = await world.organization();
    const [kept, gone] = [await own.location(), await own.location()];
    await own.deleteLocation(gone);
    await own.admin.locations.update({ location_id: kept, is_active: false });
    for (const q of [{}, { q: 'thing' }]) {
      expect(await own.admin.locations.search(q)).toMatchObject([{ id: kept, is_active: false }]);
    }
  });
});
