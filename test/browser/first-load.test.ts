import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld, type Visitor } from './support/world.js';

const scriptBytesMax = 250_000;

let world: BrowserWorld;

beforeAll(async () => {
  world = await createBrowserWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** Opens the page and resolves with the bytes of its scripts, as they are sent. */
async function load({ page }: Visitor, path: string): Promise<number> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
}

/** A separate browser each time, as nothing may be cached from the last one. */
async function visit(visitorKind: 'nobody' | 'somebody'): Promise<Visitor> {
  return visitorKind === 'nobody' ? world.visitor({ phone: true }) : world.person({ phone: true });
}

test.each([
  ['/sign-in', 'nobody'],
  ['/api/docs', 'nobody'],
  ['/', 'somebody'],
  ['/assets', 'somebody'],
  ['/locations', 'somebody'],
  ['/readers', 'somebody'],
  ['/scan', 'somebody'],
] as const)('%s takes less than 250 kB of scripts, as the first page', async (path, visitorKind) => {
  await using visitor = await visit(visitorKind);
  const scriptBytes = await load(visitor, path);
  expect(scriptBytes).toBeGreaterThan(50_000);
  expect(scriptBytes).toBeLessThan(scriptBytesMax);
});
