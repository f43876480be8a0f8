import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { packetTypes, publishPacket, uint16 } from '../support/raw-mqtt.js';
import { rawReader } from '../support/raw-reader.js';
import { prepareDatabase, type TestReader } from '../support/scan-world.js';
import { addressIn, startService } from '../support/service-process.js';

let seed: DataSeed;
let good: TestReader;
let bad: TestReader;
let unruly: TestReader;
/** Of another organization. */
let outsider: TestReader;

beforeAll(async () => {
  seed = await createDataSeed(async (url) => {
    await prepareDatabase(url, async (org) => {
      await org.asset({ tags: [['rfid', 'GOOD']] });
      good = await org.reader({ resolution_seconds: 0 });
      bad = await org.reader();
      unruly = await org.reader();
    });
    await prepareDatabase(url, async (org) => {
      outsider = await org.reader();
    });
  });
});

afterAll(() => seed[Symbol.dispose]());

const loginOf = ({ mqtt_username: username, mqtt_password: password, publish_topic: topic }: TestReader) => ({
  username,
  password,
  topic,
});

async function flood(port: number, crowds: Record<string, unknown>[]): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../support/flood.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify({ port, crowds })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('acknowledges every message of a well-behaved reader among 200 half-open and 50 flooding connections', async () => {
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
  using client = await rawReader(port, good, { clientId: 'good' });
  const publish = async (messages: number) => {
    for (let id = 1; id <= messages; id += 1) {
      const reads = [{ value: 'GOOD', observed_at: new Date().toISOString() }];
      client.send(publishPacket({ topic: good.publish_topic, payload: JSON.stringify({ reads }), qos: 1, id }));
      expect(await client.next()).toMatchObject({ type: packetTypes.puback, body: uint16(id) });
      await delay(20);
    }
  };
  const child = await flood(port, [
    { kind: 'silent', count: 100 },
    { kind: 'half', count: 50, ...loginOf(bad) },
    { kind: 'idle', count: 50, ...loginOf(outsider) },
    { kind: 'qos0', count: 10, ...loginOf(bad) },
    { kind: 'qos1', count: 10, ...loginOf(bad) },
    { kind: 'qos0', count: 5, ...loginOf(outsider) },
    { kind: 'deaf', count: 5, ...loginOf(outsider) },
    { kind: 'pings', count: 5, ...loginOf(unruly) },
    { kind: 'wrong', count: 5, ...loginOf(good), password: 'wrong' },
    { kind: 'garbage', count: 5 },
    { kind: 'unruly', count: 5, ...loginOf(unruly) },
  ]);
  try {
    await expect.poll(() => metric('whereabouts_broker_connections')).toBeGreaterThan(80);
    const begunAtMs = performance.now();
    const logged = service.logged.length;
    await publish(200);
    await expect.poll(() => metric('whereabouts_ingest_messages_total')).toBeGreaterThan(2000);
    expect(service.logged.length - logged).toBeLessThan(((performance.now() - begunAtMs) / 1000 + 2) * 50);
  } finally {
    child.kill('SIGKILL');
  }
}, 240_000);
