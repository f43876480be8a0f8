/** Watches the main thread of pages in Chromium while assets move. */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectAsync } from 'mqtt';
import sharp from 'sharp';
import { createCaller, startService } from '../pictures/service.mjs';
import { launch } from '../pictures/take.mjs';

const rooms = 12;
const columns = 4;
const assetCount = 300;
const longMs = 50;

const account = {
  organization_name: 'Motion',
  name: 'Ada',
  email: 'ada@motion.example',
  password: 'as fast as they can',
};

const { values } = parseArgs({
  options: { moves: { type: 'string', default: '25' }, seconds: { type: 'string', default: '20' } },
});
const movesPerSecond = Number(values.moves);
const seconds = Number(values.seconds);

/** A hall whose rooms fill its plan, with an antenna of one reader in each, and assets. */
async function makeHall(url) {
  const caller = createCaller(url);
  caller.signIn((await caller.call('session.signUp', account)).token);
  const hall = (await caller.call('locations.create', { name: 'Hall' })).data.id;
  const shapes = [];
  for (let n = 0; n < rooms; n += 1) {
    const { id } = (await caller.call('locations.create', { name: `Room ${n + 1}`, parent_id: hall })).data;
    shapes.push({ location_id: id, points: rectangle(n) });
  }
  const png = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#eee' } })
    .png()
    .toBuffer();
  const { id: imageId } = await caller.upload('plan', png);
  const plan = await caller.call('floorPlans.set', { location_id: hall, image_id: imageId, updated_at: null });
  await caller.call('floorPlans.setShapes', { location_id: hall, updated_at: plan.updated_at, shapes });
  const antennas = shapes.map(({ location_id }, n) => ({ port: n + 1, location_id }));
  const reader = await caller.call('readers.create', {
    name: 'Reader',
    format: 'native',
    location_rule: 'newest',
    location_id: hall,
    antennas,
  });
  for (let n = 0; n < assetCount; n += 1) {
    const tags = [{ tag_type: 'rfid', value: valueOf(n) }];
    await caller.call('assets.create', { name: `Cart ${String(n + 1).padStart(3, '0')}`, tags });
  }
  return { hall, room: shapes[0].location_id, reader };
}

function rectangle(n) {
  const [width, height] = [1 / columns, columns / rooms];
  const [left, top] = [(n % columns) * width, Math.floor(n / columns) * height];
  return [
    [left + 0.01, top + 0.01],
    [left + width - 0.01, top + 0.01],
    [left + width - 0.01, top + height - 0.01],
    [left + 0.01, top + height - 0.01],
  ];
}

function valueOf(n) {
  return `E2801190${String(n).padStart(4, '0')}`;
}

/** Moves assets one after the other, each to its next room, until the time is over. */
async function createMover(mqttUrl, reader) {
  const client = await connectAsync(mqttUrl, { username: reader.mqtt_username, password: reader.mqtt_password });
  const topic = reader.publish_topic ?? `readers/${reader.mqtt_username}/reads`;
  let moved = 0;
  return {
    async move(count, perSecond) {
      const startedAt = performance.now();
      for (let sent = 0; sent < count; sent += 1) {
        const round = Math.floor(moved / assetCount);
        const asset = moved % assetCount;
        const antenna = 1 + ((asset + round) % rooms);
        await client.publishAsync(topic, JSON.stringify({ reads: [{ value: valueOf(asset), antenna }] }), { qos: 1 });
        moved += 1;
        await delay(Math.max(0, startedAt + ((sent + 1) * 1000) / perSecond - performance.now()));
      }
    },
    end: () => client.endAsync(),
  };
}

async function openPage(browser, url) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    const observer = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) globalThis.longTasks.push({ startTime, duration });
    });
    observer.observe({ type: 'longtask' });
  });
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  return page;
}

/** The long tasks of a page while assets move, without the tasks of loading the page. */
async function watch(page, { address, mover }) {
  await page.goto(address);
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  await mover.move(movesPerSecond, movesPerSecond);
  await delay(2000);
  const sinceMs = await page.evaluate(() => performance.now());
  await mover.move(movesPerSecond * seconds, movesPerSecond);
  return page.evaluate((since) => globalThis.longTasks.filter(({ startTime }) => startTime > since), sinceMs);
}

/** Prints the long tasks of each page. */
export async function watchPages() {
  const service = await startService();
  const browser = await launch();
  try {
    const { hall, room, reader } = await makeHall(service.url);
    const mover = await createMover(service.mqttUrl, reader);
    await mover.move(assetCount, 100);
    const page = await openPage(browser, service.url);
    const addresses = { Plan: `/locations/${hall}`, Home: '/', Assets: '/assets', Location: `/locations/${room}` };
    console.log(
      `${movesPerSecond} moves a second for ${seconds} s; the load of the machine is ${loadavg()[0].toFixed(2)}`,
    );
    for (const [name, address] of Object.entries({ ...addresses, Locations: '/locations' })) {
      const tasks = await watch(page, { address, mover });
      const longest = tasks.map(({ duration }) => Math.round(duration)).toSorted((a, b) => b - a);
      console.log(
        `${name.padEnd(10)} ${tasks.length} tasks over ${longMs} ms${longest.length > 0 ? `: ${longest.slice(0, 5).join(', ')} ms` : ''}`,
      );
    }
    console.log(`At the end the load is ${loadavg()[0].toFixed(2)}`);
    await mover.end();
  } finally {
    await browser.close();
    await service.stop();
  }
}
