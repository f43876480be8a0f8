import { expect, test } from 'vitest';
import { expectAccessible, expectFits, settled } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const reads = (...values: string[]) => JSON.stringify({ reads: values.map((value) => ({ value })) });
const hostile = '<b onclick=alert(1)>\u202Etag';

test('what is read and unknown becomes an asset, and its next read places it', async () => {
  await using mona = await world.person({ role: 'manager' });
  const { page, organization } = mona;
  const dock = await organization.location();
  const reader = await organization.reader({ name: 'Dock door', location_id: dock });

  await page.goto('/unknown-tags');
  await page.getByRole('heading', { name: 'No unknown tags' }).waitFor();

  // It shows by itself.
  await world.publish(reader, reads('E2801190', hostile));
  const row = page.getByRole('row').filter({ hasText: 'E2801190' });
  await row.waitFor();
  await row.getByText('A thing').waitFor();
  await row.getByText('Dock door, antenna 1').waitFor();
  await page.getByRole('row').filter({ hasText: hostile }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await mona.picture('unknown-tags');

  await row.getByRole('button', { name: 'Create asset from E2801190' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create asset' });
  const name = dialog.getByLabel('Name');
  expect(await name.inputValue()).toBe('E2801190');
  await expectAccessible(page);
  mona.problems.allow(/status of 400/);
  await name.fill('');
  await name.press('Enter');
  await dialog.getByText('name').nth(1).waitFor();
  await name.fill('Pallet 7');
  await name.press('Enter');
  await row.waitFor({ state: 'detached' });
  await page.getByText('Its next read sets its location').waitFor();

  await world.publish(reader, reads('E2801190'));
  const [position] = await organization.positions();
  expect(position).toMatchObject({ location_id: dock, reader_id: reader.id });
  await page.goto(`/assets/${position?.asset_id}`);
  await page.getByRole('heading', { level: 1, name: 'Pallet 7' }).waitFor();
  await page.getByText('A thing').first().waitFor();
});

test('unknown tags are found, attached to an asset that there is, and dismissed', async () => {
  await using mona = await world.person({ role: 'manager' });
  const { page, organization } = mona;
  const asset = await organization.asset();
  const [door, gate] = [await organization.reader({ name: 'Door' }), await organization.reader({ name: 'Gate' })];
  await world.publish(door, reads('AAA1', 'AAA2', 'BBB1'));
  await world.publish(gate, reads('AAA1', 'CCC1'));

  await page.goto('/unknown-tags');
  await page.getByText('1 to 4 of 4 unknown tags').waitFor();
  await page.getByLabel('Reader').selectOption('Gate');
  await page.getByText('1 to 2 of 2 unknown tags').waitFor();
  await page.getByLabel('Reader').selectOption('All readers');
  await page.getByLabel('Search unknown tags').fill('aaa');
  await page.getByRole('row').filter({ hasText: 'AAA1' }).getByText('also 1 other location').waitFor();
  await page.getByText('1 to 2 of 2 unknown tags').waitFor();

  await page.getByRole('button', { name: 'Attach AAA1 to an asset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attach to asset' });
  await dialog.getByLabel('Asset').and(page.locator('input')).fill('thing');
  await page.getByRole('option', { name: 'A thing' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Attach tag' }).click();
  await page.getByText('1 to 1 of 1 unknown tag').waitFor();
  const [tag] = await world.db.tag.findMany({ where: { assetId: asset } });
  expect(tag).toMatchObject({ tagType: 'rfid', value: 'AAA1' });
  expect(await world.db.unknownTag.count({ where: { orgId: organization.orgId, value: 'AAA1' } })).toBe(0);

  await page.getByLabel('Search unknown tags').fill('');
  await page.getByText('1 to 3 of 3 unknown tags').waitFor();
  await page.getByLabel('Choose all on this page').check();
  await page.getByRole('button', { name: 'Dismiss 3 tags' }).click();
  const dismissal = page.getByRole('dialog').getByRole('button', { name: 'Dismiss 3 tags' });
  await dismissal.waitFor();
  await expectAccessible(page);
  await dismissal.click();
  await page.getByRole('heading', { name: 'No unknown tags' }).waitFor();
});

test('on a phone the whole value of an unknown tag is shown, above its buttons, which a viewer does not have', async () => {
  const value = '3034257BF7194E4000001000';
  await using mona = await world.person({ role: 'manager', phone: true });
  const { page, organization } = mona;
  await world.publish(await organization.reader(), reads(value));
  await page.goto('/unknown-tags');
  const shown = page.getByRole('row').getByText(value);
  await shown.waitFor();
  await settled(page);
  expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  const { x = 0, width = Infinity } = (await shown.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(360);
  await expectFits(page);
  await page.getByRole('button', { name: `Create asset from ${value}` }).click();
  await page.getByRole('dialog', { name: 'Create asset' }).waitFor();

  await world.db.membership.updateMany({ where: { userId: mona.userId }, data: { role: 'viewer' } });
  await page.reload();
  await shown.waitFor();
  expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
});

test('a manager creates assets for many tags at once', async () => {
  const organization = await world.organization();
  const reader = await organization.reader({ name: 'Door' });
  await world.publish(reader, reads('TAG-A', 'TAG-B', 'TAG-C'));
  await using mia = await world.person({ organization, role: 'manager' });
  const { page, problems } = mia;
  problems.allow(/status of 409/);
  await page.goto('/unknown-tags');
  await page.getByText('1 to 3 of 3 unknown tags').waitFor();
  await page.getByLabel('Choose all on this page').check();
  await page.getByRole('button', { name: 'Create 3 assets' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create 3 assets' });
  await dialog.getByLabel('Name pattern').fill('Pallet {n}');
  await dialog.getByLabel('First number').fill('7');
  await expect
    .poll(() => dialog.getByRole('listitem').allInnerTexts())
    .toEqual(expect.arrayContaining([expect.stringMatching(/^Pallet 7 \(TAG-[ABC]\)$/)]));
  await expectAccessible(page);
  await expectFits(page);

  // Esc does not lose what was entered.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard your input?' }).getByRole('button', { name: 'Keep editing' }).click();
  expect(await dialog.getByLabel('Name pattern').inputValue()).toBe('Pallet {n}');

  const taken = await organization.asset({ tags: [['rfid', 'TAG-B']] });
  await dialog.getByRole('button', { name: 'Create 3 assets' }).click();
  await dialog.getByText('Tag TAG-B is already attached').waitFor();
  expect(await world.db.asset.count({ where: { orgId: organization.orgId } })).toBe(1);
  await world.db.tag.deleteMany({ where: { assetId: taken } });
  await dialog.getByRole('button', { name: 'Create 3 assets' }).click();
  await page.getByText('3 assets created.').waitFor();
  await page.getByRole('heading', { name: 'No unknown tags' }).waitFor();
  const names = await world.db.asset.findMany({ where: { orgId: organization.orgId, id: { not: taken } } });
  expect(names.map(({ name }) => name).toSorted()).toEqual(['Pallet 7', 'Pallet 8', 'Pallet 9']);
});
