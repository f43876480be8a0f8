import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { scan } from './support/scanner.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const renewals = '**/trpc/session.refresh';

/** Lets the service renew the session while the browser gets neither answer nor cookie. */
async function renewBehindTheBrowser(route: Route): Promise<void> {
  const { cookie = '' } = await route.request().allHeaders();
  const answer = await fetch(route.request().url(), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', cookie },
    body: '{}',
  });
  expect(answer.status).toBe(200);
}

async function showsAccount(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
}

/** Puts all that happened to refresh tokens back in time, so that the browser's own state must be enough. */
async function letPass(seconds: number): Promise<void> {
  await world.db.$executeRaw`
    UPDATE refresh_tokens
       SET issued_at = issued_at - make_interval(secs => ${seconds}::float8),
           used_at = used_at - make_interval(secs => ${seconds}::float8)`;
}

async function openSessions(userId: number): Promise<number> {
  return world.db.session.count({ where: { userId, revokedAt: null } });
}

test('a lost answer to the renewal of the session is not noticed', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { page, problems } = person;
  problems.allow(/session\.refresh/);
  let lost = 0;
  await page.route(
    renewals,
    async (route) => {
      await renewBehindTheBrowser(route);
      lost += 1;
      await route.abort('connectionreset');
    },
    { times: 2 },
  );
  await page.goto('/account');
  await showsAccount(page);
  expect(lost).toBe(2);
  await letPass(61);
  await page.reload();
  await showsAccount(page);
  expect(await openSessions(person.userId)).toBe(1);
});

test('an answer that never comes is asked for again', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { page, problems } = person;
  problems.allow(/session\.refresh/);
  // It waits for eight seconds, which the clock of the page does not pass.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => {
      const controller = new AbortController();
      addEventListener('time-out', () => controller.abort(new DOMException('', 'TimeoutError')));
      return controller.signal;
    };
  });
  const renewed = new Promise<void>((resolve, reject) => {
    void page.route(renewals, (route) => renewBehindTheBrowser(route).then(resolve, reject), { times: 1 });
  });
  await page.goto('/account');
  await renewed;
  await page.evaluate(() => dispatchEvent(new Event('time-out')));
  await showsAccount(page);
  expect(await openSessions(person.userId)).toBe(1);
});

test('twenty reloads within two seconds keep the session', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { page } = person;
  await page.goto('/account', { waitUntil: 'commit' });
  const startedMs = performance.now();
  const reloads: Promise<unknown>[] = [];
  for (let n = 1; n <= 20; n += 1) {
    // Each reload breaks off what the one before it had asked for.
    reloads.push(page.reload({ waitUntil: 'commit' }).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedMs + n * 95 - performance.now())));
  }
  await Promise.all(reloads);
  await showsAccount(page);
  for (let round = 0; round < 2; round += 1) {
    await letPass(61);
    await page.reload();
    await showsAccount(page);
  }
  expect(await openSessions(person.userId)).toBe(1);
});

test('three tabs that renew at once keep the session', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { context, page } = person;
  // Without locks, as in browsers that reach the service by an address without HTTPS.
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
  const others = await Promise.all(Array.from({ length: 2 }, () => context.newPage()));
  const tabs = [page, ...others];
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(tabs.map((tab) => tab.goto('/account')));
    await Promise.all(tabs.map(showsAccount));
    await letPass(61);
  }
  expect(await openSessions(person.userId)).toBe(1);
});

test('a phone that was offline continues where it was', async () => {
  await using person = await world.person({ name: 'Ada', phone: true });
  const { context, page, problems } = person;
  problems.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  await page.goto('/account');
  await showsAccount(page);
  await context.setOffline(true);
  // The access token ends meanwhile.
  await page.clock.fastForward('20:00');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('You are offline').first().waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name saved').waitFor();
  expect(await openSessions(person.userId)).toBe(1);
});

test('a copy of an old cookie ends the session on both sides, once a minute has passed', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { context, page, problems } = person;
  problems.allow(/status of 401/);
  const cookies = await context.cookies(`${world.url}/trpc/session.refresh`);
  await page.goto('/account');
  await showsAccount(page);
  await letPass(61);
  await using thief = await world.visitor();
  thief.problems.allow(/status of 401/);
  await thief.context.addCookies(cookies);
  const answer = await thief.context.request.post(`${world.url}/trpc/session.refresh`, { data: {} });
  expect(answer.status()).toBe(401);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await openSessions(person.userId)).toBe(0);
});

test('a script that is lost is asked for again, and without it the page stays as it is', async () => {
  await using person = await world.person({ name: 'Ada' });
  const { context, page, problems } = person;
  problems.allow(/ERR_CONNECTION_RESET|dynamically imported module|static\/palette/);
  await context.route('**/static/scan-opener-*.js', (route) => route.abort('connectionreset'), { times: 1 });
  await context.route('**/static/palette-*.js', (route) => route.abort('connectionreset'));
  const again = page.waitForResponse(/static\/scan-opener-/);
  await page.goto('/account');
  await again;
  await expect
    .poll(async () => {
      await scan(page, 'NOBODY-2');
      return page.getByText('Unknown tag').isVisible();
    })
    .toBe(true);

  let asked = 0;
  const askedTwice = page.waitForEvent('requestfailed', (request) => {
    asked += Number(request.url().includes('/static/palette-'));
    return asked === 2;
  });
  // Right after a scan a shortcut counts as its last key.
  await page.getByRole('button', { name: 'Search' }).click();
  await askedTwice;
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name saved').waitFor();
});
