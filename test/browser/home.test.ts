import { expect, test } from 'vitest';
import { untilWellWithin } from '../support/clock.js';
import { expectAccessible, expectFits, smallTargets } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test('a restored service reports that it sends nothing', async () => {
  const organization = await world.organization();
  await world.db.outboundPause.create({ data: {} });
  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/');
  await page.getByRole('alert').getByText('Email and webhooks are paused').waitFor();
  await world.db.outboundPause.deleteMany();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Email and webhooks are paused').waitFor({ state: 'detached' });
});

test('someone who opens the app sees how things are and what needs a look', async () => {
  // What is seen now was seen today, in any time zone.
  await untilWellWithin(hourMs);
  const organization = await world.organization();
  const { orgId } = organization;
  const { db } = world;
  const location = await organization.location({ name: 'Hall 1' });
  const place = async (name: string, seenAgoMs: number) => {
    const assetId = await organization.asset({ name });
    const at = new Date(Date.now() - seenAgoMs);
    await db.assetPosition.create({
      data: { orgId, assetId, locationId: location, assetLastSeen: at, locatedSince: at },
    });
    return assetId;
  };
  await place('Pump <img src=x onerror=alert(1)>', 0);
  await place('Ladder', 20 * dayMs);
  await organization.asset();
  const silent = await organization.reader({ name: 'Dock door' });
  await db.reader.update({ where: { id: silent.id }, data: { lastMessageAt: new Date(Date.now() - dayMs) } });
  await organization.reader({ name: 'Gate' });
  await db.unknownTag.create({
    data: { orgId, tagType: 'rfid', value: 'E280FFFF', count: 1, firstSeen: new Date(), lastSeen: new Date() },
  });
  const slot = new Date(Math.floor(Date.now() / 600_000) * 600_000);
  await db.readCount.create({ data: { orgId, slot, reads: 1234n } });

  await using person = await world.person({ organization });
  const { page } = person;
  await page.goto('/');
  await page.getByRole('link', { name: 'Active assets 3 assets' }).waitFor();
  await page.getByRole('link', { name: 'Seen in 24 h 1 asset' }).waitFor();
  await page.getByRole('link', { name: 'Open alerts 0 alerts' }).waitFor();
  await page.getByRole('link', { name: 'Moved today 1 asset' }).waitFor();

  const moves = page.getByRole('region', { name: 'Live activity' });
  await expect
    .poll(() => moves.getByRole('listitem').allInnerTexts())
    .toEqual([expect.stringContaining('Pump <img src=x onerror=alert(1)>'), expect.stringContaining('Ladder')]);
  const look = page.getByRole('region', { name: 'Needs attention' });
  await look.getByRole('link', { name: '1 silent reader' }).waitFor();
  await look.getByRole('link', { name: 'Dock door' }).waitFor();
  await look.getByRole('link', { name: '1 reader never connected' }).waitFor();
  await look.getByRole('link', { name: '1 unknown tag' }).waitFor();
  await look.getByText('E280FFFF').waitFor();
  await look.getByRole('link', { name: '2 assets not seen for 7 days' }).waitFor();
  await page.getByText('1,234 reads in the last 24 hours').waitFor();
  await page.getByRole('img', { name: 'at most 1,234 reads in 10 minutes' }).locator('svg').first().waitFor();
  await expectAccessible(page);
  // The links of a move, one above the other.
  expect(await smallTargets(page, 24)).toEqual([]);
  await expectFits(page);
  await person.picture('home');

  await look.getByRole('combobox', { name: 'Assets count as unseen after' }).selectOption('30 days');
  // The one that was never seen is not seen for as long as anybody asks.
  await look.getByRole('link', { name: '1 asset not seen for 30 days' }).waitFor();
  await page.reload();
  await look.getByRole('link', { name: '1 asset not seen for 30 days' }).waitFor();

  await page.getByRole('link', { name: 'Moved today' }).click();
  await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
  await page.getByRole('link', { name: 'Pump <img' }).waitFor();
  expect(await page.getByRole('link', { name: 'Ladder' }).count()).toBe(0);
  expect(silent.id).toBeGreaterThan(0);
});

test('a new organization shows what to do first', async () => {
  await using admin = await world.person();
  await admin.page.goto('/');
  await admin.page.getByRole('heading', { name: 'First steps' }).waitFor();
  await admin.page.getByRole('heading', { name: 'No assets yet' }).waitFor();
  await admin.page.getByText('Nothing has moved yet').waitFor();
  await admin.page.getByText('All clear').waitFor();
  await expectAccessible(admin.page);
  await admin.picture('home-empty');
  await admin.page.getByRole('button', { name: 'Dismiss' }).click();
  await admin.page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });

  await using viewer = await world.person({ organization: admin.organization, role: 'viewer', phone: true });
  await viewer.page.goto('/');
  await viewer.page.getByText('Assets appear here once someone has created them').waitFor();
  expect(await viewer.page.getByRole('link', { name: 'New asset' }).count()).toBe(0);
  await viewer.picture('home-empty-phone');
});

test('an error of the service is shown, and can be retried', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  person.problems.allow(/status of 500/);
  await page.route(/home\.summary/, (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.goto('/');
  await page.getByRole('alert').waitFor();
  await page.unroute(/home\.summary/);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('link', { name: 'Active assets 0 assets' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
