import { expect, test } from 'vitest';
import { createClient } from '../support/rest-client.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { runCurl } from './support/curl.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('the description is readable by everybody, with all that it holds, and an operation is found by keyboard alone', async () => {
  await using visitor = await world.visitor();
  const { page } = visitor;
  await page.goto('/api/docs');
  await page.locator('#createAsset').waitFor();
  const { body } = await createClient(world.url).get('/api/openapi.json');
  const operations = Object.values<Record<string, { summary: string }>>(body.paths).flatMap(Object.values);
  const titles = await page.getByRole('heading', { level: 3 }).allTextContents();
  const described = [...operations.map(({ summary }) => summary), ...Object.keys(body.components.schemas)];
  expect(new Set(titles)).toEqual(new Set(described));
  await visitor.picture('api-docs');
  await expectFits(page);
  // All of it holds nothing else than this, and axe would take half a minute for it.
  await page.getByLabel('Search the API').fill('asset write rename');
  await expect.poll(() => page.getByRole('heading', { level: 3 }).count()).toBeLessThan(5);
  await page.getByRole('button', { name: /^400/ }).click();
  await expectAccessible(page);

  await page.getByLabel('Search the API').fill('');
  await page.getByLabel('Search the API').blur();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect.poll(() => contents.getByRole('link').count()).toBeGreaterThan(20);
  await page.keyboard.press('/');
  await page.keyboard.type('descendants');
  await expect.poll(() => contents.getByRole('link').count()).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#listLocationDescendants');
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await expect.poll(() => contents.getByRole('link').count()).toBeGreaterThan(20);
  await page.keyboard.type('no such thing at all');
  await contents.getByText('Nothing holds all of these words.').waitFor();
});

test('an address with the name of an operation leads to it', async () => {
  await using visitor = await world.visitor({ phone: true });
  const { page } = visitor;
  await page.goto('/api/docs#createLocation');
  const section = page.locator('#createLocation');
  await section.waitFor();
  await expect.poll(async () => (await section.boundingBox())?.y ?? -1).toBeLessThan(200);
  await expect.poll(async () => (await section.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
  await section.getByRole('button', { name: 'Fields of TagRequest' }).click();
  await section.getByText('The technology of the tag.').waitFor();
  await visitor.picture('api-docs-phone');
});

test('a service that does not answer is reported and asked again, and the call that is shown works as it stands', async () => {
  const org = await world.organization();
  const key = await org.admin.apiKeys.create({
    name: 'Try',
    scopes: ['assets:read', 'assets:write'],
    expires_at: null,
  });
  await using visitor = await world.visitor();
  const { page, context, problems } = visitor;
  problems.allow(/503/);
  await page.route('**/api/openapi.json', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.goto('/api/docs');
  await page.getByText('The description could not be loaded').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('#createAsset').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const shown = page.locator('#createAsset');
  await shown.getByRole('button', { name: 'Copy curl' }).click();
  await shown.getByRole('button', { name: 'curl: copied' }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const printed = await runCurl(command, { WHEREABOUTS_KEY: key.token });
  expect(JSON.parse(printed)).toMatchObject({ data: { external_key: 'PALLET-0042' } });
});
