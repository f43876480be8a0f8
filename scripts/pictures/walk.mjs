/** The animated tour from an empty database to the first live move. */
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { account, publish } from './hospital.mjs';
import { createCaller, startService } from './service.mjs';

const viewport = { width: 1000, height: 660 };

/** Collects pictures of the page, each with its duration. */
function createFilm(page) {
  const frames = [];
  const delays = [];
  return {
    async frame(ms) {
      frames.push(await page.screenshot());
      delays.push(ms);
    },
    async write(file) {
      await sharp(frames, { join: { animated: true } })
        .webp({ quality: 74, effort: 6, delay: delays, loop: 0 })
        .toFile(file);
    },
  };
}

async function signUp(page, film) {
  await page.goto('/');
  await page.getByLabel('Organization').waitFor();
  await film.frame(1200);
  const { organization_name: organization, name, email, password } = account;
  await page.getByLabel('Organization').fill(organization);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await film.frame(1400);
  await page.getByRole('button', { name: 'Create organization' }).click();
}

async function makeLocation(page, film) {
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Emergency');
  await film.frame(1400);
  await page.getByRole('button', { name: 'Create location' }).click();
}

async function makeAsset(page, film) {
  const step = page.getByRole('region').filter({ hasText: 'Something you want to track' });
  await step.getByLabel('Name').fill('Infusion pump 1');
  await step.getByLabel('Tag ID').fill('E2801190A5030001');
  await film.frame(1400);
  await step.getByRole('button', { name: 'Create asset' }).click();
}

/** @returns the values that the page shows for the reader */
async function registerReader(page, film) {
  const step = page.getByRole('region').filter({ hasText: 'Bluetooth gateway' });
  await step.getByLabel('Name').fill('Emergency door');
  await film.frame(1200);
  await step.getByRole('button', { name: 'Add reader' }).click();
  const textOf = async (label) => (await page.getByLabel(label, { exact: true }).textContent()).trim();
  await page.getByLabel('Password', { exact: true }).waitFor();
  await page.getByText('Waiting for the reader').scrollIntoViewIfNeeded();
  await film.frame(2200);
  return { mqtt_username: await textOf('User name'), mqtt_password: await textOf('Password') };
}

/** Records the tour with its own service, into an animated WebP file. */
export async function takeWalk(browser, file) {
  const service = await startService();
  const context = await browser.newContext({
    baseURL: service.url,
    viewport,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    const film = createFilm(page);
    await signUp(page, film);
    await makeLocation(page, film);
    await makeAsset(page, film);
    const reader = await registerReader(page, film);
    const read = (value) => [{ value, rssi_dbm: -41 }];
    await publish(service.mqttUrl, reader, read('E2801190A5030001'));
    await page.getByText('Receiving', { exact: true }).scrollIntoViewIfNeeded();
    await film.frame(2400);

    await page.goto('/');
    await page.getByText('Live activity').scrollIntoViewIfNeeded();
    await page.getByText('Infusion pump 1').first().waitFor();
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(300);
    await film.frame(2000);
    await moveElsewhere(service);
    await page.getByText('Recovery').first().waitFor();
    await page.waitForTimeout(300);
    await film.frame(3600);
    await film.write(file);
  } finally {
    await context.close();
    await service.stop();
  }
}

/** A second reader in another room reads the same asset several times: one read is not enough for a move. */
async function moveElsewhere({ url, mqttUrl }) {
  const caller = createCaller(url);
  const { email, password } = account;
  caller.signIn((await caller.call('session.signIn', { email, password })).token);
  const { id } = (await caller.call('locations.create', { name: 'Recovery' })).data;
  const door = await caller.call('readers.create', { name: 'Recovery door', format: 'native', location_id: id });
  for (let reads = 0; reads < 25; reads += 1) {
    await publish(mqttUrl, door, [{ value: 'E2801190A5030001', rssi_dbm: -44 }]);
    await delay(600);
  }
}
