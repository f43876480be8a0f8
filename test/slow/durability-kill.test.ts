import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { databaseProcess, signalProcess } from '../support/database-process.js';
import { freePort } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { prepareDatabase, type TestReader } from '../support/scan-world.js';
import { type ServiceProcess, startService } from '../support/service-process.js';
import { createRetryingReader } from '../support/retrying-reader.js';

type Device = { reader: TestReader; asset: number; tag: string; qos: 1 | 2 };

let seed: DataSeed;
let devices: Device[];

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    devices = await prepareDatabase(url, async (org) => {
      const made: Device[] = [];
      for (const [index, qos] of ([1, 1, 1, 1, 2] as const).entries()) {
        const tag = `TAG ${index}`;
        const asset = await org.asset({ tags: [['rfid', tag]] });
        const location_rule = index % 2 === 0 ? 'evidence' : 'newest';
        const reader = await org.reader({ location_id: await org.location(), location_rule, resolution_seconds: 0 });
        made.push({ reader, asset, tag, qos });
      }
      return made;
    });
  });
});

afterAll(() => seed[Symbol.dispose]());

/** Ways to end it all at once; `among` picks one of some processes. */
type Kill = (service: ServiceProcess, folder: string, among: (pids: number[]) => number) => void;

/** A process that has ended meanwhile need not be killed. */
const killPids = (pids: number[]) => {
  for (const pid of pids) signalProcess(pid, 'SIGKILL');
};

const kills: Kill[] = [
  (service) => service.child.kill('SIGKILL'),
  (service, folder) => {
    const pids = databaseProcess(folder).pids();
    service.child.kill('SIGKILL');
    killPids(pids);
  },
  (service, folder) => {
    killPids([databaseProcess(folder).pid]);
    service.child.kill('SIGKILL');
  },
  (service, folder, among) => {
    const [, ...workers] = databaseProcess(folder).pids();
    killPids([among(workers)]);
    service.child.kill('SIGKILL');
  },
  (service) => service.child.kill('SIGKILL'),
];

/** The instant of a message's read: one of its own, well in the past. */
const firstMs = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;

type Stored = { numbers: number[]; unknownCount: number };

async function storedOf(client: pg.Client, { asset, tag }: Device): Promise<Stored> {
  const events = await client.query<{ number: number }>(
    `SELECT (extract(epoch FROM event_observed_at) * 1000 - $2)::int AS number
       FROM scan_events
      WHERE asset_id = $1
      ORDER BY event_observed_at`,
    [asset, firstMs],
  );
  const unknown = await client.query<{ count: number }>('SELECT count::int FROM unknown_tags WHERE value = $1', [
    `NOT ${tag}`,
  ]);
  return { numbers: events.rows.map(({ number }) => number), unknownCount: unknown.rows[0]?.count ?? 0 };
}

it('keeps every acknowledged read exactly once, even if the service and the database are killed five times in a run', async () => {
  using folder = seed.createFolder();
  const { below } = createRandom(3);
  const among = (pids: number[]) => pids[below(pids.length)] ?? 0;
  const port = await freePort();
  const start = () => startService({ folder: folder.path, env: { MQTT_PORT: String(port) } });
  let service = start();
  await service.ready;
  const readers = devices.map(({ reader, tag, qos }) =>
    createRetryingReader({
      port,
      reader,
      qos,
      window: 20,
      payload: (number) =>
        JSON.stringify({
          reads: [{ value: tag, observed_at: new Date(firstMs + number).toISOString() }, { value: `NOT ${tag}` }],
        }),
    }),
  );
  const acknowledged = () => readers.reduce((sum, reader) => sum + reader.acknowledged(), 0);
  try {
    for (const kill of kills) {
      const enough = acknowledged() + 100 + below(500);
      await expect.poll(acknowledged, { interval: 1 }).toBeGreaterThan(enough);
      kill(service, folder.path, among);
      await service.ended;
      service = start();
      await service.ready;
    }
    await Promise.all(readers.map((reader) => reader.finish()));

    const client = new pg.Client({ connectionString: databaseProcess(folder.path).url });
    await client.connect();
    for (const [index, device] of devices.entries()) {
      const reader = readers[index];
      if (!reader) continue;
      const { numbers, unknownCount } = await storedOf(client, device);
      expect(numbers).toEqual(Array.from({ length: reader.messages() }, (_, number) => number));
      // What is no event is counted as often as it was stored.
      expect(unknownCount).toBeGreaterThanOrEqual(reader.messages());
      expect(unknownCount).toBeLessThanOrEqual(reader.transmissions());
    }
    await client.end();
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  } finally {
    for (const reader of readers) reader[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  }
}, 300_000);
