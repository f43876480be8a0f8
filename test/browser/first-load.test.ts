import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Visitor } from './support/world.js';

const scriptBytesMax = 250_000;

const world = fileWorld(createBrowserWorld);

declare const window: { headingMs?: number };

/** Notes when a page has its heading: what comes later, such as charts and the lookup of scans, does not delay it. */
function noteHeading(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector('h1') === null) return;
    window.headingMs = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

/** Opens a page and expects that its heading needs few bytes of scripts, as they are sent or were sent before. */
async function expectFewScripts({ page }: Visitor, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const scriptBytes = await page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = resources.filter(
      ({ name, startTime }) => new URL(name).pathname.endsWith('.js') && startTime <= (window.headingMs ?? Infinity),
    );
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
  expect(scriptBytes, path).toBeGreaterThan(50_000);
  expect(scriptBytes, path).toBeLessThan(scriptBytesMax);
}

test('pages take less than 250 kB of scripts, as the first page', async () => {
  await using visitor = await world.visitor({ phone: true });
  await visitor.page.addInitScript(noteHeading);
  for (const path of ['/sign-in', '/api/docs']) await expectFewScripts(visitor, path);
  await using person = await world.person({ phone: true });
  await person.page.addInitScript(noteHeading);
  for (const path of ['/', '/assets', '/locations', '/readers', '/scan']) await expectFewScripts(person, path);
});
