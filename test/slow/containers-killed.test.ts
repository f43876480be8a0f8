import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { databaseProcess, signalProcess } from '../support/database-process.js';
import { freePort } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { createRetryingReader } from '../support/retrying-reader.js';
import { prepareDatabase, type TestReader } from '../support/scan-world.js';
import { type ServiceProcess, startService } from '../support/service-process.js';

const contents = 40;

let seed: DataSeed;
let reader: TestReader;
let cart: number;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    await prepareDatabase(url, async (org) => {
      cart = await org.asset({ tags: [['rfid', 'CART']] });
      const boxes: number[] = [];
      for (let number = 0; number < contents; number += 1) boxes.push(await org.asset());
      await org.admin.containers.putIn({ container_id: cart, asset_ids: boxes });
      const antennas = [
        { port: 1, location_id: await org.location() },
        { port: 2, location_id: await org.location() },
      ];
      reader = await org.reader({ antennas, resolution_seconds: 0 });
    });
  });
});

afterAll(() => seed[Symbol.dispose]());

const firstMs = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;

/** Where the cart is, how many assets are in it, and how many of them are there with it, in one snapshot. */
async function stateOf(client: pg.Client) {
  const { rows } = await client.query<{ moves: number; inside: number; together: number }>(
    `SELECT (SELECT count(*)::int FROM scan_events e WHERE e.asset_id = $1) AS moves,
            (SELECT count(*)::int FROM asset_containments k WHERE k.container_id = $1 AND k.until IS NULL) AS inside,
            (SELECT count(*)::int
               FROM asset_containments k
               JOIN asset_positions p ON p.org_id = k.org_id AND p.asset_id = k.asset_id
               JOIN asset_positions c ON c.org_id = k.org_id AND c.asset_id = k.container_id AND c.location_id = p.location_id
              WHERE k.container_id = $1 AND k.until IS NULL
                AND (SELECT count(*) FROM scan_events e WHERE e.org_id = k.org_id AND e.asset_id = k.asset_id)
                  = (SELECT count(*) FROM scan_events e WHERE e.org_id = k.org_id AND e.asset_id = k.container_id)) AS together`,
    [cart],
  );
  return rows[0];
}

it('never leaves contents behind when a container moves, even if the service and the database are killed', async () => {
  using folder = seed.createFolder();
  const { below } = createRandom(5);
  const port = await freePort();
  const start = (): ServiceProcess => startService({ folder: folder.path, env: { MQTT_PORT: String(port) } });
  let service = start();
  await service.ready;
  const moving = createRetryingReader({
    port,
    reader,
    qos: 1,
    window: 5,
    payload: (number) =>
      JSON.stringify({
        reads: [
          { value: 'CART', antenna: 1 + (number % 2), observed_at: new Date(firstMs + 1000 * number).toISOString() },
        ],
      }),
  });
  try {
    for (const withDatabase of [false, true, false, true]) {
      const enough = moving.acknowledged() + 20 + below(60);
      await expect.poll(() => moving.acknowledged(), { interval: 1 }).toBeGreaterThan(enough);
      const pids = withDatabase ? databaseProcess(folder.path).pids() : [];
      service.child.kill('SIGKILL');
      for (const pid of pids) signalProcess(pid, 'SIGKILL');
      await service.ended;
      service = start();
      await service.ready;
      const client = new pg.Client({ connectionString: databaseProcess(folder.path).url });
      await client.connect();
      const state = await stateOf(client);
      await client.end();
      expect(state?.moves).toBeGreaterThan(20);
      expect(state).toMatchObject({ inside: contents, together: contents });
    }
    await moving.finish();
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    moving[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  }
}, 120_000);
