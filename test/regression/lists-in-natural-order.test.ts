import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sharedAlertingWorld } from '../support/alerting-world.js';
import { addSession } from '../support/factories.js';

const seen = readFileSync(new URL('inputs/names-to-sort.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

const world = await sharedAlertingWorld();

afterAll(() => world[Symbol.asyncDispose]());

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);

test.each<[string, string[], string[]]>([
  ['German names', seen, ['apfelkiste', 'Åsa', 'Äxte', 'Bohrer', 'Ölkanne', 'Pumpe 2', 'Pumpe 10', 'Zange']],
  [
    'shelves and bays with numbers of any length',
    ['Bay 100-2', 'bay 20-1', 'Bay 100-10', 'Bay 3', 'Bay 020-2', 'Bay'],
    ['Bay', 'Bay 3', 'bay 20-1', 'Bay 020-2', 'Bay 100-2', 'Bay 100-10'],
  ],
  [
    'names of several languages',
    ['Zebra', 'éclair', 'Eclair', 'Ñandú', 'Nest', 'Łódź', 'Lodz 2', 'czar', 'Ωmega', 'Ångström'.normalize('NFD')],
    ['Ångström'.normalize('NFD'), 'czar', 'Eclair', 'éclair', 'Łódź', 'Lodz 2', 'Ñandú', 'Nest', 'Zebra', 'Ωmega'],
  ],
])('all lists of the app sort %s as people do', async (_kind, names, sorted) => {
  const org = await world.organization();
  const app = await world.as(await addSession(world, org.orgId, 'admin'));
  const { data: place } = await app.locations.create({ name: 'Site', external_key: 'SITE' });
  for (const name of names) {
    const { data: asset } = (await org.post('/api/v1/assets', { name })).body;
    await app.locations.create({ name, parent_id: place.id });
    await app.readers.create({ name, format: 'auto', location_id: place.id });
    await world.db.$executeRaw`
      INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
      VALUES (${org.orgId}, ${asset.id}::int, ${place.id}, now(), now())`;
  }
  expect(namesOf((await app.assets.table({ sort: 'name' })).data)).toEqual(sorted);
  expect(namesOf((await app.assets.table({ sort: '-name' })).data)).toEqual(sorted.toReversed());
  expect(namesOf((await app.locations.level({ parent_id: place.id })).data)).toEqual(sorted);
  expect(namesOf(await app.locations.search({}))).toEqual(['Site', ...sorted]);
  expect(namesOf((await app.locations.contents({ location_id: place.id })).data)).toEqual(sorted);
  expect(namesOf((await app.readers.list({})).data)).toEqual(sorted);
  // The public API has the order of code points (contract 1.7).
  const byCodePoint = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  expect(namesOf((await org.get('/api/v1/assets?sort=name')).body.data)).toEqual(byCodePoint);
});

test('keys with numbers are sorted by their value', async () => {
  const org = await world.organization();
  const app = await world.as(await addSession(world, org.orgId, 'viewer'));
  const keys = ['PUMP-10', 'pump-2', 'PUMP-1', 'BED-7', 'PUMP-2B'];
  for (const key of keys) await org.post('/api/v1/assets', { name: 'Thing', external_key: key });
  const keysOf = async (sort: string) => (await app.assets.table({ sort })).data.map(({ external_key: key }) => key);
  expect(await keysOf('external_key')).toEqual(['BED-7', 'PUMP-1', 'pump-2', 'PUMP-2B', 'PUMP-10']);
  expect(await keysOf('-external_key')).toEqual(['PUMP-10', 'PUMP-2B', 'pump-2', 'PUMP-1', 'BED-7']);
});
