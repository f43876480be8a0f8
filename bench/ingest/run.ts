import { loadavg } from 'node:os';
import pg from 'pg';
import { readSettings } from '../../server/settings.js';
import { type Ground, prepareGround, tell, type Undo } from '../ground.js';
import { verdict } from '../markdown-table.js';
import { median } from '../measure.js';
import { startService, startWorker } from '../servers.js';
import { type BatchFigures, createTwin, insertBatches, readBatches } from './batch-insert.js';
import { type IngestBench, type Measured, measureLoad } from './measure.js';
import type { IngestOptions } from './options.js';
import type { PublishOrder, PublishReport } from './readers.js';
import { seedIngestWorld } from './seed.js';
import { loadTable, yardstickTable } from './table.js';

const READERS_MAX = 200;
const BATCH_RATIO_MIN = 0.5;
const ACK_P99_MS_MAX = 100;

/** The benchmark of ingestion: database, rows, processes, measurements, tables. Progress goes to standard error. */
export async function runIngestBench(options: IngestOptions, undo: Undo): Promise<void> {
  const ground = await prepareGround(undefined, undo);
  const { folder, database, client, postmasterPid } = ground;
  tell(`Load of the machine before the run: ${loadavg()[0]?.toFixed(2)}`);
  tell(`Seeding ${options.assets} assets and ${READERS_MAX} readers …`);
  const readerCount = Math.max(READERS_MAX, options.readers);
  const world = await seedIngestWorld(client, { ...options, readers: readerCount });
  const { databasePoolSize: poolSize } = readSettings({});
  const service = await startService({
    databaseUrl: database.url,
    poolSize,
    authSecret: database.authSecret,
    folder,
    profileDir: options.profileDir,
  });
  undo.push(() => service.stop());
  const readers = startWorker<PublishOrder, PublishReport>('readers');
  undo.push(() => readers.stop());
  const bench: IngestBench = { world, service, readers, client, postmasterPid, window: options.window };

  const main = await measureMain(bench, ground, options);
  console.log(loadTable([{ name: main.name, qos: 1, measured: main.service }]));
  console.log();
  console.log(
    yardstickTable([
      { name: 'batches of 500, one connection', figures: main.one },
      { name: 'batches of 500, two connections', figures: main.two },
    ]),
  );
  console.log();
  console.log(
    `Of the batches over one connection: ${main.ratio.toFixed(2)}, ${verdict(main.ratio >= BATCH_RATIO_MIN, `≥ ${BATCH_RATIO_MIN}`)}`,
  );
  console.log(
    `Acknowledgement at that load: ${verdict(main.service.ack.p99Ms < ACK_P99_MS_MAX, `p99 < ${ACK_P99_MS_MAX} ms`)}`,
  );
}

/** Service and batches in turn, so that what slows the machine for a while slows both. */
async function measureMain(bench: IngestBench, { database }: Ground, options: IngestOptions) {
  const { client, postmasterPid, world } = bench;
  const shape = { readers: options.readers, qos: 1, readsPerMessage: 10 } as const;
  const name = `${shape.readers} readers, QoS 1, 10 reads a message`;
  tell(`${name} …`);
  const [one, two] = [await createTwin(client, 'one_connection'), await createTwin(client, 'two_connections')];
  const connections = [new pg.Client(database.url), new pg.Client(database.url)];
  for (const connection of connections) await connection.connect();
  await measureLoad(bench, shape, options.warmUpMs);
  await client.query('VACUUM (ANALYZE)');
  const rounds: { service: Measured; one: BatchFigures; two: BatchFigures }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    await client.query('CHECKPOINT');
    const service = await measureLoad(bench, shape, options.roundMs);
    const batches = await readBatches(client, world.orgId, service.startedAtMs);
    await client.query('CHECKPOINT');
    rounds.push({
      service,
      one: await insertBatches(connections.slice(0, 1), batches, { table: one, postmasterPid }),
      two: await insertBatches(connections, batches, { table: two, postmasterPid }),
    });
    tell(
      rounds.map((r) => `${r.service.rate.toFixed(0)} ${r.one.rate.toFixed(0)} ${r.two.rate.toFixed(0)}`).at(-1) ?? '',
    );
  }
  for (const connection of connections) await connection.end();
  const ratio = median(rounds.map((round) => round.service.rate / round.one.rate));
  const middle = rounds.toSorted((a, b) => a.service.rate - b.service.rate)[Math.floor(rounds.length / 2)];
  if (!middle) throw new Error('no round');
  return { name, ...middle, ratio };
}
