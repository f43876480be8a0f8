import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('a tab from before an upgrade says that there is a new version, and loads it with the next page', async () => {
  await using person = await world.person();
  const { page } = person;
  person.problems.allow(
    /Failed to fetch dynamically imported module|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/,
  );
  const live = () => page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  // The notice is loaded after the page.
  const noticeLoaded = page.waitForResponse(/\/static\/new-version-/);
  await page.goto('/assets');
  await (await noticeLoaded).finished();
  await live();
  const notice = page.getByRole('alert').filter({ hasText: 'New version of Whereabouts' });
  // The files of the next version have other names.
  await page.route('**/', async (route) => {
    if (route.request().isNavigationRequest()) return route.continue();
    const answer = await route.fetch();
    return route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/(src="\/static\/[^"]*)\.js/, '$1-2.js'),
    });
  });
  await world.goAway();
  await page.getByRole('status').getByText('Not live since').waitFor();
  expect(await notice.count()).toBe(0);
  await world.comeBack();
  await notice.getByRole('button', { name: 'Reload' }).waitFor();
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Locations', exact: true }).first().click();
  await loaded;
  await page.getByRole('heading', { level: 1, name: 'Locations' }).waitFor();
});
