import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

let world: BrowserWorld;

beforeAll(async () => {
  world = await createBrowserWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

test('the app opens at its address', async () => {
  await using visitor = await world.visitor();
  await visitor.page.goto('/');
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await visitor.page.title()).toContain('Whereabouts');
});

test('a signed-in user stays signed in after a reload', async () => {
  await using person = await world.person({ role: 'viewer', name: 'Ada' });
  await person.page.goto('/');
  await person.page.getByRole('button', { name: 'Account menu' }).waitFor();
  expect(await person.page.evaluate(() => document.cookie)).toBe('');
});

test('what must not happen in a page does not go unnoticed', async () => {
  const visitor = await world.visitor();
  await visitor.page.goto('/');
  const uncaught = visitor.page.waitForEvent('pageerror');
  await visitor.page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'h1 { color: red }';
    document.head.append(style);
    // oxlint-disable-next-line no-console
    console.error('something is wrong');
    setTimeout(() => {
      throw new Error('nobody catches this');
    });
    return fetch('https://example.com/').catch(() => {});
  });
  await uncaught;
  const failure = await visitor[Symbol.asyncDispose]().then(
    () => 'nothing',
    (error: unknown) => String(error),
  );
  expect(failure).toContain('style-src');
  expect(failure).toContain('something is wrong');
  expect(failure).toContain('nobody catches this');
  expect(failure).toContain('https://example.com/');
});

test('a reader can publish beside the browser', async () => {
  const organization = await world.organization();
  const reader = await organization.reader();
  const asset = await organization.asset({ tags: [['rfid', 'E2801190']] });
  await world.publish(reader, '{"reads":[{"value":"E2801190"}]}');
  expect(await organization.positions()).toMatchObject([{ asset_id: asset, reader_id: reader.id }]);
});
