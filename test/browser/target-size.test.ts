import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallTargets } from './support/accessible.js';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

let world: BrowserWorld;

beforeAll(async () => {
  world = await createBrowserWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

test('controls are large enough to hit, or far enough apart', async () => {
  const organization = await world.organization();
  const reader = await organization.reader({ name: 'Gate' });
  await organization.asset({ tags: [['rfid', 'E2801190']] });
  await world.publish(reader, '{"reads":[{"value":"E2801190"},{"value":"E2801191"}]}');
  await using person = await world.person({ organization });
  const { page } = person;
  const pages = ['/', '/readers', `/readers/${reader.id}`, '/unknown-tags', '/account', '/account/members', '/start'];
  for (const address of pages) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
    expect(await smallTargets(page), address).toEqual([]);
  }
});
