import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { databaseProcess } from '../support/database-process.js';
import { publishPacket } from '../support/raw-mqtt.js';
import { type RawReader, rawReader } from '../support/raw-reader.js';
import { prepareDatabase, type TestReader } from '../support/scan-world.js';
import { addressIn, startService } from '../support/service-process.js';
import { createRetryingReader, type RetryingReader } from '../support/retrying-reader.js';

const mib = 1024 * 1024;
const frozenMs = 10_000;
/** What the broker holds of messages, and what it takes besides. */
const growthMax = 192 * mib;

type Device = { reader: TestReader; asset: number; tag: string };

let seed: DataSeed;
let careful: Device[];
let careless: Device;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    await prepareDatabase(url, async (org) => {
      const device = async (tag: string, location_rule: 'evidence' | 'newest'): Promise<Device> => {
        const asset = await org.asset({ tags: [['rfid', tag]] });
        const reader = await org.reader({ location_id: await org.location(), location_rule, resolution_seconds: 0 });
        return { reader, asset, tag };
      };
      careful = [await device('ONE', 'evidence'), await device('TWO', 'newest'), await device('THREE', 'evidence')];
      careless = await device('QOS 0', 'evidence');
    });
  });
});

afterAll(() => seed[Symbol.dispose]());

const firstMs = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;

function messageOf({ tag }: Device, number: number, bytes = 0): string {
  const reads = [{ value: tag, observed_at: new Date(firstMs + number).toISOString() }];
  return JSON.stringify({ reads, filler: 'x'.repeat(bytes) });
}

/** The numbers of the messages that are events. */
async function eventsOf(client: pg.Client, { asset }: Device): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>(
    `SELECT (extract(epoch FROM event_observed_at) * 1000 - $2)::int AS number
       FROM scan_events
      WHERE asset_id = $1
      ORDER BY event_observed_at`,
    [asset, firstMs],
  );
  return rows.map(({ number }) => number);
}

/** A number once it has not changed for half a second: acknowledgements of what was stored may still be on their way. */
async function settledNumber(read: () => Promise<number>): Promise<number> {
  let before = -1;
  for (;;) {
    const now = await read();
    if (now === before) return now;
    before = now;
    await delay(500);
  }
}

const count = (length: number) => Array.from({ length }, (_, number) => number);

it('keeps its messages while the database is frozen under load, acknowledges none and loses none', async () => {
  using folder = seed.createFolder();
  await using service = startService({ folder: folder.path });
  const output = await service.ready;
  const port = Number(new URL(addressIn(output, 'mqtt')).port);
  const metric = async (name: string) => {
    // The service closes a connection that this busy process has not used for some seconds.
    const headers = { connection: 'close' };
    const page = await (await fetch(`${addressIn(output, 'http')}/metrics`, { headers })).text();
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(page)?.[1]);
  };
  const memory = () => metric('process_resident_memory_bytes');
  const flood: RawReader[] = [];
  const readers: RetryingReader[] = [];
  const acknowledged = () => readers.reduce((sum, reader) => sum + reader.acknowledged(), 0);
  const database = databaseProcess(folder.path);
  const client = new pg.Client({ connectionString: database.url });
  try {
    for (let index = 0; index < 80; index += 1) {
      flood.push(await rawReader(port, careless.reader, { clientId: `flood ${index}` }));
    }
    for (const device of careful) {
      const payload = (number: number) => messageOf(device, number);
      readers.push(createRetryingReader({ port, reader: device.reader, qos: 1, window: 2000, payload }));
    }
    await expect.poll(acknowledged).toBeGreaterThan(500);
    const before = await memory();

    database.signal('SIGSTOP');
    const frozenAtMs = performance.now();
    const acknowledgedBefore = await settledNumber(async () => {
      // The service answers when it has acknowledged what it knew to be stored.
      await memory();
      return acknowledged();
    });
    const perSender = 120;
    for (const [sender, { socket }] of flood.entries()) {
      for (let index = 0; index < perSender; index += 1) {
        const payload = messageOf(careless, sender * perSender + index, 16 * 1024);
        socket.write(publishPacket({ topic: careless.reader.publish_topic, payload, qos: 0 }));
      }
    }
    await expect.poll(() => metric('whereabouts_broker_messages_under_way')).toBeGreaterThan(1000);
    let peak = 0;
    while (performance.now() < frozenAtMs + frozenMs) {
      peak = Math.max(peak, await memory());
      await delay(200);
    }
    expect(acknowledged()).toBe(acknowledgedBefore);
    expect(await metric('whereabouts_broker_messages_under_way')).toBeGreaterThan(1000);
    expect(peak - before).toBeLessThan(growthMax);
    database.signal('SIGCONT');

    await Promise.all(readers.map((reader) => reader.finish()));
    for (const reader of readers) expect(reader.connections()).toBe(1);
    await client.connect();
    for (const [index, device] of careful.entries()) {
      expect(await eventsOf(client, device)).toEqual(count(readers[index]?.messages() ?? 0));
    }
    const settled = async () =>
      (await eventsOf(client, careless)).length + (await metric('whereabouts_broker_dropped_messages_total'));
    await expect.poll(settled, { timeout: 120_000, interval: 200 }).toBe(flood.length * perSender);
  } finally {
    database.signal('SIGCONT');
    await client.end();
    for (const reader of [...readers, ...flood]) reader[Symbol.dispose]();
  }
}, 240_000);
