import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import { startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { createLog } from '../../server/kernel/log.js';
import { createDataSeed } from '../support/data-folder.js';
import { databaseProcess } from '../support/database-process.js';
import { createTestFolder } from '../support/folder.js';
import { native } from '../support/mqtt.js';
import { query } from '../support/postgres.js';
import { createRandom } from '../support/random.js';
import { prepareDatabase, type TestReader } from '../support/scan-world.js';
import { addressIn, startService } from '../support/service-process.js';
import { createDisk } from './power-loss/disk.js';

const log = createLog('silent');
/** Each run starts on the data that the last cut of the previous run has left. */
const runs = 5;
const cutsOfRun = 10;
const readsOfRun = 3000;
/** Reads that wait for their acknowledgement at a time. */
const inFlight = 50;

/** A read that was acknowledged, and the length of the log at that time: a later cut must not lose it. */
type Acknowledged = { value: string; logBytes: number };

function buildShim(folder: string): string {
  const shim = path.join(folder, 'unsynced-writes.so');
  const source = path.join(import.meta.dirname, 'power-loss', 'unsynced-writes.c');
  execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', shim, source, '-ldl']);
  chmodSync(shim, 0o755);
  return shim;
}

test('every acknowledged read survives fifty power failures under load', async () => {
  const random = createRandom(20_261_125);
  using tools = createTestFolder();
  const shim = buildShim(tools.path);
  let reader: TestReader | undefined;
  using seed = await createDataSeed(async (url) => {
    reader = await prepareDatabase(url, (org) => org.reader({ resolution_seconds: 0 }));
  });
  if (!reader) throw new Error('no reader was made');
  using folder = seed.createFolder();
  const dataDir = path.join(folder.path, 'data');
  /** Of all runs before. */
  const durable: string[] = [];
  let cuts = 0;

  for (let run = 1; run <= runs; run += 1) {
    const logFile = path.join(folder.path, 'unsynced.log');
    writeFileSync(logFile, '');
    // PostgreSQL, which runs as another user than root, writes it as well.
    chmodSync(logFile, 0o666);
    using disk = createDisk(dataDir, logFile);
    const env = { LD_PRELOAD: shim, UNSYNCED_ROOT: dataDir, UNSYNCED_LOG: logFile };
    const service = startService({ folder: folder.path, env });
    const mqttUrl = addressIn(await service.ready, 'mqtt');
    const begin = statSync(logFile).size;
    const acknowledged = await publish({ reader, mqttUrl, logFile, run, folder: folder.path });
    const end = statSync(logFile).size;
    const database = databaseProcess(folder.path);
    service.child.kill('SIGKILL');
    database.signal('SIGKILL');
    await service.ended;

    const positions = Array.from({ length: cutsOfRun }, () => begin + random.below(end - begin)).toSorted(
      (a, b) => a - b,
    );
    for (const [index, position] of positions.entries()) {
      disk.advance(position);
      const expected = [
        ...durable,
        ...acknowledged.filter(({ logBytes }) => logBytes <= position).map(({ value }) => value),
      ];
      using cut = createTestFolder();
      const copy = path.join(cut.path, 'data');
      // Every other cut leaves a part of the unsynced writes, on which nothing may depend.
      disk.writeTo(copy, index % 2 === 0 ? undefined : random);
      const stored = await readStored(copy);
      expect({ run, index, lost: expected.filter((value) => !stored.has(value)) }).toEqual({ run, index, lost: [] });
      cuts += 1;
      if (index < positions.length - 1) continue;
      durable.splice(0, durable.length, ...expected);
      rmSync(dataDir, { recursive: true });
      disk.writeTo(dataDir);
    }
  }
  expect(cuts).toBe(runs * cutsOfRun);
  expect(durable.length).toBeGreaterThan((runs * readsOfRun) / 4);
}, 1_800_000);

type Load = { reader: TestReader; mqttUrl: string; logFile: string; run: number; folder: string };

/** Publishes reads of tags that nobody knows, each of another one, and resolves when all have been acknowledged. */
async function publish({ reader, mqttUrl, logFile, run, folder }: Load): Promise<Acknowledged[]> {
  const { mqtt_username: username, mqtt_password: password, publish_topic: topic } = reader;
  const client = await connectAsync(mqttUrl, { username, password, reconnectPeriod: 0 });
  const acknowledged: Acknowledged[] = [];
  let next = 0;
  async function publishNext(): Promise<void> {
    while (next < readsOfRun) {
      const value = `RUN${run}N${(next += 1)}`;
      await client.publishAsync(topic, native(value), { qos: 1 });
      acknowledged.push({ value, logBytes: statSync(logFile).size });
    }
  }
  // Checkpoints, which otherwise come after minutes, write the tables and remove the log of changes.
  let isDone = false;
  const checkpoints = (async () => {
    const { url } = databaseProcess(folder);
    while (!isDone) {
      await query(url, 'CHECKPOINT');
      await delay(200);
    }
  })();
  await Promise.all(Array.from({ length: inFlight }, publishNext));
  isDone = true;
  await checkpoints;
  client.end(true);
  return acknowledged;
}

/**
 * Starts the database on the content of a disk, with the settings of the product, and returns the tags that were read.
 */
async function readStored(dataDir: string): Promise<Set<string>> {
  const database = await startEmbeddedDatabase({ dataDir, log });
  try {
    const rows = await query<{ value: string }>(database.url, 'SELECT value FROM unknown_tags');
    return new Set(rows.map(({ value }) => value));
  } finally {
    await database.stop();
  }
}
