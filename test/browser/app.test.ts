import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

let world: BrowserWorld;

beforeAll(async () => {
  world = await createBrowserWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

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
