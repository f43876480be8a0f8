import { readFileSync } from 'node:fs';
import { ulid } from 'ulid';
import { afterAll, expect, test } from 'vitest';
import { foldText } from '../../server/kernel/fold-text.js';
import { sharedAlertingWorld } from '../support/alerting-world.js';
import { createLocation } from '../support/factories.js';
import { pollOptions } from '../support/poll-options.js';

type Case = { asset: { external_key: string; name: string }; search: string };

const decomposed: Case = JSON.parse(
  readFileSync(new URL('inputs/decomposed-name.json', import.meta.url), 'utf8'),
) as Case;

const world = await sharedAlertingWorld();

afterAll(() => world[Symbol.asyncDispose]());

const named = (external_key: string, name: string, search: string): Case => ({ asset: { external_key, name }, search });

test.each([
  ['letters with separate accents', decomposed],
  [
    'composed letters, and a text with separate accents',
    named('NFC-1', 'Öl-Kanister Süd', 'Öl-Kanister Süd'.normalize('NFD')),
  ],
  ['Korean syllables in parts', named('NFD-2', '지게차'.normalize('NFD'), '지게차')],
  ['a mark of the alphabet that is also a unit', named('ANGSTROM', 'Filter \u212B', 'filter å')],
  ['letters of full width', named('WIDE', 'ＰＵＭＰ７', 'pump7')],
  ['a ligature', named('LIGATURE', 'O\uFB03ce chair', 'office')],
  ['a space that does not break', named('SPACE', 'Säge\u00A07', 'säge 7')],
  ['the capitals of a name with a sharp s', named('STREET', 'Hauptstraße 5', 'HAUPTSTRASSE')],
  ['a sharp s in a name of capitals', named('WEIGHTS', 'MASSBAND', 'maßband')],
  ['a Turkish capital with a dot', named('CITY', 'İstanbul Depo', 'istanbul')],
  ['a Turkish letter without a dot', named('LAMP', 'Işık', 'ışık')],
  ['invisible characters', named('HIDDEN', 'Gabel\u00ADstapler\u200E 9', 'Gabelstapler 9')],
])('search and rules find %s', async (_kind, { asset, search }) => {
  const { admin, org } = world;
  const created = (await org.post('/api/v1/assets', asset)).body.data;
  expect(created.name).toBe(asset.name);

  const keys = (rows: { external_key: string }[]) => rows.map(({ external_key: key }) => key);
  const found = await org.get(`/api/v1/assets?q=${encodeURIComponent(search)}`);
  expect(keys(found.body.data)).toEqual([asset.external_key]);
  expect(keys((await admin.assets.table({ sort: undefined, q: search })).data)).toEqual([asset.external_key]);
  expect(keys((await admin.search.everything({ q: search })).assets)).toEqual([asset.external_key]);

  const rule = await admin.alertRules.create({
    name: `moves of ${asset.external_key}`,
    event_type: 'asset.location_changed',
    assets: { kind: 'match', field: 'name', operator: 'contains', value: search },
  });
  await world.interested('asset.location_changed');
  const location = await createLocation(org, { name: 'Hall' });
  await admin.scans.submit({ submission_id: ulid(), location_id: location.id, reads: [{ asset_id: created.id }] });
  await expect
    .poll(async () => (await admin.alerts.list({ rule_id: rule.id })).data.map((alert) => alert.asset_id), pollOptions)
    .toEqual([created.id]);
  await admin.alertRules.delete({ id: rule.id });
});

test('a location is found on its path, whichever form its name has', async () => {
  const { admin, org } = world;
  const ward = await createLocation(org, { name: 'Überwachung'.normalize('NFD'), external_key: 'WARD-U' });
  await createLocation(org, { name: 'Kälteraum', external_key: 'COLD-U', parent_id: ward.id });
  const q = 'überwachung kälteraum';
  for (const text of [q, q.normalize('NFD'), q.toUpperCase()]) {
    expect((await admin.locations.search({ q: text })).map((row) => row.external_key)).toEqual(['COLD-U']);
    expect((await admin.search.everything({ q: text })).locations.map((row) => row.external_key)).toEqual(['COLD-U']);
  }
});

test('wide forms of the characters of patterns are ordinary characters', async () => {
  const { org } = world;
  await org.post('/api/v1/assets', { external_key: 'PERCENT', name: 'Solution 40\uFF05 ready' });
  await org.post('/api/v1/assets', { external_key: 'MILLIS', name: 'Solution 400 mL ready' });
  const keys = async (q: string) =>
    (await org.get(`/api/v1/assets?q=${encodeURIComponent(q)}`)).body.data.map(
      (row: { external_key: string }) => row.external_key,
    );
  expect(await keys('40\uFF05 ready')).toEqual(['PERCENT']);
  expect(await keys('40% ready')).toEqual(['PERCENT']);
  expect(await keys('ion 40\uFF3F')).toEqual([]);
});

test('the service and the database fold characters to the same text, which stays as it is when folded again', async () => {
  // The halves of pairs are no characters, and the Unicode version of PostgreSQL's ICU need not have the latest letters with two cases.
  const newer = [
    [0x1c_80, 0x1c_bf],
    [0x2c_2f, 0x2c_2f],
    [0x2c_5f, 0x2c_5f],
    [0xa7_b8, 0xa7_ff],
    [0xd8_00, 0xdf_ff],
  ] as const;
  const characters = Array.from({ length: 0xff_ff }, (_, index) => index + 1)
    .filter((code) => !newer.some(([first, last]) => code >= first && code <= last))
    .map((code) => String.fromCodePoint(code))
    .filter((character) => foldText(character) !== character);
  const rows = await world.db.$queryRaw<{ folded: string; again: string }[]>`
    SELECT fold_case(c) AS folded, fold_case(fold_case(c)) AS again
      FROM unnest(${characters}::text[]) WITH ORDINALITY AS t (c, n)
     ORDER BY n`;
  expect(rows.map(({ folded }) => folded)).toEqual(characters.map(foldText));
  expect(rows.filter(({ folded, again }) => folded !== again)).toEqual([]);
});
