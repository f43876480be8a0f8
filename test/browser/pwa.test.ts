import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { expectAccessible } from './support/accessible.js';
import { writeFilm } from './support/camera-film.js';
import { sendByButton } from './support/scanner.js';
import { type BrowserWorld, createBrowserWorld } from './support/world.js';

let world: BrowserWorld;
let folder: TestFolder;

beforeAll(async () => {
  folder = createTestFolder('film');
  const film = path.join(folder.path, 'codes.y4m');
  writeFilm(film, [
    { kind: 'code128', text: 'LOC-DOCK' },
    { kind: 'qrcode', text: 'E28011AA' },
    { kind: 'qrcode', text: 'SAW-LEFT', beside: 'SAW-RIGHT' },
  ]);
  world = await createBrowserWorld({ switches: [`--use-file-for-fake-video-capture=${film}`] });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Returns what the browser has cached for the page, by address. */
function keptOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
}

test('the app can be installed, and starts at the scan page', async () => {
  await using person = await world.person({ role: 'operator', phone: true });
  const { page } = person;
  await page.goto('/scan');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const session = await page.context().newCDPSession(page);
  const { errors, data = '' } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data);
  expect(manifest).toMatchObject({ name: 'Whereabouts', start_url: '/scan', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const answer = await fetch(`${world.url}${src}`);
    expect([src, answer.status, answer.headers.get('Content-Type')]).toEqual([src, 200, 'image/png']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Browsers of tests keep nothing, which is why they would not install.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('without a network every page of the app opens with a notice and its own policy, and nothing that the service says is kept', async () => {
  await using person = await world.person({ role: 'operator' });
  const { page } = person;
  await page.goto('/scan');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.getByText(/^Ready/).waitFor();
  const scopes = await page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
  );
  expect(scopes).toEqual(['/']);
  await expect.poll(() => keptOf(page)).toContain('/scan');
  const kept = await keptOf(page);
  expect(kept.filter((address) => /^\/(trpc|api)/.test(address))).toEqual([]);
  expect(kept.filter((address) => /docs|readers-page|labels-page|\.wasm/.test(address))).toEqual([]);

  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|Unable to preload CSS/);
  await page.context().setOffline(true);
  const answer = await page.reload();
  await page.getByText('Not connected').waitFor();
  expect(answer?.fromServiceWorker()).toBe(true);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  const nonce = await page.locator('meta[name="csp-nonce"]').evaluate((meta: HTMLMetaElement) => meta.nonce);
  expect(nonce).toMatch(/^\S{20,}$/);
  expect(policy).toContain(`'nonce-${nonce}'`);

  for (const address of ['/', '/assets', '/locations/7', '/alerts/rules', '/account']) {
    const answer = await page.goto(address);
    expect([address, answer?.fromServiceWorker()]).toEqual([address, true]);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Scan offline' }).click();
  await page.getByText('Not connected').waitFor();
  await page.goto('/assets');
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
  await page.context().setOffline(true);
  // The description of the API is left alone.
  await expect(page.goto('/api/docs')).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
});

test('the camera reads barcodes and QR codes, with nothing from elsewhere', async () => {
  const organization = await world.organization();
  const dock = await organization.location({ name: 'Dock', tags: [['barcode', 'LOC-DOCK']] });
  const drill = await organization.asset({ name: 'Drill', tags: [['rfid', 'E28011AA']] });
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await sendByButton(page);
  await page.goto('/scan');
  await page.getByText(/^Ready/).waitFor();
  await page.getByRole('button', { name: 'Use camera' }).click();
  await page.getByText('Point the camera at a code').waitFor();
  await expectAccessible(page);
  await person.picture('scan-camera');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await page.getByRole('list', { name: 'Not sent yet' }).getByText('Drill').waitFor();
  // Nothing is recorded of several codes before one of them is chosen.
  const several = page.getByRole('alert').filter({ hasText: 'Several codes in the frame' });
  await several.getByRole('button', { name: 'SAW-LEFT' }).waitFor();
  await expectAccessible(page);
  expect(await page.getByRole('list', { name: 'Not sent yet' }).getByRole('listitem').count()).toBe(1);
  await several.getByRole('button', { name: 'None of them' }).click();
  await page.getByRole('button', { name: 'Close camera' }).click();
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByRole('list', { name: 'Sent to Dock' }).waitFor();
  expect(await organization.positions()).toMatchObject([{ asset_id: drill, location_id: dock }]);
});

test('a blocked camera is reported clearly, and everything else still works', async () => {
  await using person = await world.person({ role: 'operator' });
  const { page } = person;
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.goto('/scan');
  await page.getByRole('button', { name: 'Use camera' }).click();
  await page.getByText('Camera access is blocked').waitFor();
  await expectAccessible(page);
  expect(await page.getByRole('textbox', { name: 'Or enter a tag ID' }).isEnabled()).toBe(true);
});
