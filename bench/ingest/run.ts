import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { readSettings } from '../../server/kernel/settings.js';
import { type Fixture, prepareFixture, reportProgress, type Undo } from '../fixture.js';
import type { LoadOrder, LoadReport } from '../load.js';
import { startService, startWorker } from '../servers.js';
import { residentBytes } from '../usage.js';
import { prepareRequests } from './requests-beside.js';
import { measureMainLoad } from './main-load.js';
import { type IngestBench, type LoadShape, type Measured, measureLoad } from './measure.js';
import { measureNewDatabase } from './new-database.js';
import type { IngestOptions } from './options.js';
import type { PublishOrder, PublishReport } from './readers.js';
import { prepareRowByRow } from './row-by-row.js';
import { sum } from './processor.js';
import { measureRules } from './rules.js';
import { siteReadsPerSecond, sites } from './scenes.js';
import { seedIngestWorld } from './seed.js';
import { ingestReport, type Results } from './table.js';

const readerCounts = [1, 20, 200];
/** As many as a hundred people open who look at it every five seconds. */
const reportPagesPerSecond = 20;
const readsPerMessageChoices = [1, 10];
const mainReadsPerMessage = 10;
/** Above it, other processes use the processors that are measured. */
const quietLoadMax = 0.5;
/** Lines of the service's log that are shown where a run fails. */
const logLinesMax = 20;

/**
 * Runs the benchmark of ingestion: database, rows, processes, measurements, tables. Prints progress to standard error.
 */
export async function runIngestBench(options: IngestOptions, undo: Undo): Promise<void> {
  const fixture = await prepareFixture(undefined, undo);
  const [load = 0] = loadavg();
  if (load > quietLoadMax) reportProgress(`The machine is not quiet: its load was ${load.toFixed(2)} before the run`);
  const { assets, locations } = options;
  const sizes = { assets, locations, readers: Math.max(...readerCounts, options.readers) };
  const bench = await prepareBench(fixture, { sizes, options }, undo);
  const results = await measureParts(bench, { fixture, options, undo }).catch((error: unknown) => {
    // Its last lines may say why, for instance, answers are missing.
    const log = readFileSync(path.join(fixture.folder, 'service.log'), 'utf8').trimEnd().split('\n');
    reportProgress(log.slice(-logLinesMax).join('\n'));
    throw error;
  });
  console.log(ingestReport({ ...results, resident: residentBytes(bench.service.pid) }));
}

type Sizes = Parameters<typeof seedIngestWorld>[1];

async function prepareBench(
  fixture: Fixture,
  { sizes, options: { window, profileDir } }: { sizes: Sizes; options: IngestOptions },
  undo: Undo,
): Promise<IngestBench> {
  const { folder, database, client, postmasterPid } = fixture;
  reportProgress(`Seeding ${sizes.assets} assets, ${sizes.locations} locations, ${sizes.readers} readers …`);
  const world = await seedIngestWorld(client, sizes);
  const { databasePoolSize: poolSize } = readSettings({});
  const { url: databaseUrl, authSecret } = database;
  const service = await startService({ databaseUrl, poolSize, authSecret, folder, profileDir });
  undo.push(() => service.stop());
  const readers = startWorker<PublishOrder, PublishReport>('readers');
  undo.push(() => readers.stop());
  return { world, service, readers, client, postmasterPid, window };
}

/** Measures the main load first, on a table as small as the baselines'; the other parts are compared with it. */
async function measureParts(
  bench: IngestBench,
  { fixture, options, undo }: { fixture: Fixture; options: IngestOptions; undo: Undo },
): Promise<Omit<Results, 'resident'>> {
  const { client } = bench;
  const { roundMs, warmUpMs, rounds, only } = options;
  const databaseUrl = fixture.database.url;
  const loads: Results['loads'][number][] = [];
  const baselines: Results['baselines'][number][] = [];
  const gets: Results['gets'][number][] = [];
  const isAsked = (name: string) => only.length === 0 || only.some((text) => name.includes(text));

  const shape: LoadShape = { readers: options.readers, qos: 1, readsPerMessage: mainReadsPerMessage };
  const mainName = nameOf(shape);
  reportProgress(`${mainName} …`);
  await measureLoad(bench, shape, warmUpMs);
  // A service in use has statistics of tables with rows.
  await client.query('VACUUM (ANALYZE)');
  const rowByRowName = 'row by row, Mosquitto and a subscriber';
  const rowByRow = isAsked(rowByRowName)
    ? await prepareRowByRow(bench, shape, { folder: fixture.folder, databaseUrl, undo })
    : undefined;
  if (isAsked(rowByRowName) && !rowByRow)
    reportProgress('  Mosquitto is not installed: the baseline row by row is left out');
  const main = await measureMainLoad(bench, shape, { databaseUrl, rounds, roundMs, rowByRow });
  loads.push({ name: mainName, qos: 1, measured: main.service });
  baselines.push({ name: 'batches of 500, one connection', figures: main.oneConnection });
  baselines.push({ name: 'batches of 500, two connections', figures: main.twoConnections });
  if (main.rowByRow) baselines.push({ name: rowByRowName, figures: main.rowByRow });
  const atRate = (readsPerSecond: number): LoadShape => ({
    ...shape,
    messagesPerSecond: readsPerSecond / shape.readsPerMessage,
  });
  const atShare = (share: number) => atRate(main.service.rate * share);

  /** Measures a load with pauses between the messages; returns the 99th percentile of its acknowledgements. */
  async function measureCalm(name: string, calm: LoadShape): Promise<number | undefined> {
    if (!isAsked(name)) return undefined;
    reportProgress(`${name} …`);
    const measured = await measureLoad(bench, calm, roundMs);
    loads.push({ name, qos: 1, measured });
    return measured.ackP99Ms;
  }

  async function measureHalf(): Promise<number | undefined> {
    const name = 'half of it, beside GET asset by id';
    if (!isAsked(name)) return undefined;
    reportProgress(`${name} …`);
    const load = startWorker<LoadOrder, LoadReport>('load');
    undo.push(() => load.stop());
    const readAssets = await prepareRequests(bench, { fixture, load, operation: 'GET asset by id' });
    const { getsPerSecond } = options;
    const paced = await readAssets({ shape: atShare(0.5), ms: roundMs, getsPerSecond });
    const unpaced = await readAssets({ shape: atShare(0.5), ms: roundMs });
    loads.push({ name: `half of it, beside ${getsPerSecond} GETs a second`, qos: 1, measured: paced.ingestion });
    loads.push({ name: 'half of it, beside as many GETs as there can be', qos: 1, measured: unpaced.ingestion });
    gets.push({ name: `GET asset by id, ${getsPerSecond} a second`, figures: paced.gets });
    gets.push({ name: 'GET asset by id, 16 connections without a pause', figures: unpaced.gets });
    await load.stop();
    return paced.gets.p99Ms;
  }

  /** Measures first pages of the report while 4,000 assets are read every second; returns the 99th percentile. */
  async function measureReport(): Promise<number | undefined> {
    const name = 'a site, beside first pages of the report';
    const [shape] = siteShapes();
    if (!isAsked(name) || !shape) return undefined;
    reportProgress(`${name} …`);
    await setReaders(client, bench.world.orgId, shape);
    await measureLoad(bench, shape, warmUpMs / 2);
    const load = startWorker<LoadOrder, LoadReport>('load');
    undo.push(() => load.stop());
    const readReport = await prepareRequests(bench, { fixture, load, operation: 'report page' });
    const { ingestion, gets: pages } = await readReport({ shape, ms: roundMs, getsPerSecond: reportPagesPerSecond });
    loads.push({ name, qos: 1, measured: ingestion });
    gets.push({ name: `report, first page, ${reportPagesPerSecond} a second beside a site`, figures: pages });
    await load.stop();
    return pages.p99Ms;
  }

  const { ruleRounds } = options;
  const rules = ruleRounds > 0 ? await measureRules(bench, shape, { rounds: ruleRounds, roundMs }) : undefined;
  if (rules) {
    loads.push({ name: 'the main load without alert rules', qos: 1, measured: rules.without });
    loads.push({ name: 'the main load with ten alert rules', qos: 1, measured: rules.with });
  }

  const targets = {
    rulesRatio: rules?.ratio,
    batchRatio: main.ratios.batch,
    rowByRowRatio: main.ratios.rowByRow,
    ackP99Ms: main.service.ackP99Ms,
    quarterAckP99Ms: await measureCalm('a quarter of it', atShare(0.25)),
    getP99Ms: await measureHalf(),
  };
  await measureCalm('each asset every ten seconds', atRate(options.assets / 10));
  const measured = new Map<string, Measured>();
  const moving: LoadShape = { ...shape, scene: 'overlapping', moving: true };
  const overlapping: LoadShape = { ...shape, scene: 'overlapping' };
  for (const other of [moving, overlapping, ...siteShapes(), ...otherShapes()]) {
    const name = nameOf(other);
    if (name === mainName || !isAsked(name)) continue;
    reportProgress(`${name} …`);
    await setReaders(client, bench.world.orgId, other);
    // The tags of a site are at other locations before.
    await measureLoad(
      bench,
      other,
      siteShapes().some(({ scene }) => scene === other.scene) ? warmUpMs / 2 : warmUpMs / 10,
    );
    await client.query('CHECKPOINT');
    const load = await measureLoad(bench, other, roundMs);
    loads.push({ name, qos: other.qos, measured: load });
    measured.set(name, load);
  }
  const reportP99Ms = await measureReport();
  const newDatabaseName = 'a new database';
  const newDatabase = isAsked(newDatabaseName)
    ? await measureNewDatabase(
        {
          folder: fixture.folder,
          periodMs: options.newDatabaseMs / 6,
          prepare: (other, sizes) => prepareBench(other, { sizes, options }, undo),
        },
        undo,
      )
    : undefined;
  if (newDatabase) {
    loads.push({ name: 'each read a move, a new database, its first period', qos: 1, measured: newDatabase.first });
    loads.push({ name: 'the same, its last period', qos: 1, measured: newDatabase.last });
  }
  const siteLoad = siteShapes().flatMap((other) => measured.get(nameOf(other)) ?? [])[0];
  const rateOf = (other: LoadShape) => measured.get(nameOf(other))?.rate;
  const ofBatches = (rate: number | undefined) => (rate === undefined ? undefined : rate / main.oneConnection.rate);
  return {
    loads,
    baselines,
    gets,
    targets: {
      ...targets,
      reportP99Ms,
      newDatabaseRate: newDatabase && Math.min(newDatabase.first.rate, newDatabase.last.rate),
      siteMs: siteLoad && sum([siteLoad.serviceMs, siteLoad.databaseMs]),
      overlappingRatio: ofBatches(rateOf(overlapping)),
      oneReaderRate: rateOf({ readers: 1, qos: 1, readsPerMessage: 1 }),
    },
  };
}

/** The deduplication window of readers at a site, which the other loads do without. */
const siteWindowSeconds = 60;

/** Sets the readers as a load needs them. The service applies changes of readers within two seconds. */
async function setReaders(client: pg.Client, orgId: number, { moving, scene }: LoadShape): Promise<void> {
  const isSite = scene === 'site' || scene === 'bluetooth';
  await client.query(
    'UPDATE readers SET location_rule = $2, resolution_seconds = $3, updated_at = now() WHERE org_id = $1',
    [orgId, moving ? 'newest' : 'evidence', isSite ? siteWindowSeconds : 0],
  );
}

function siteShapes(): LoadShape[] {
  return (['site', 'bluetooth'] as const).map((scene) => {
    const { readers, readsPerMessage } = sites[scene];
    const messagesPerSecond = siteReadsPerSecond(sites[scene]) / readsPerMessage;
    return { readers, qos: 1, readsPerMessage, scene, messagesPerSecond };
  });
}

function otherShapes(): LoadShape[] {
  return readerCounts.flatMap((readers) =>
    ([0, 1] as const).flatMap((qos) =>
      readsPerMessageChoices.map((readsPerMessage) => ({ readers, qos, readsPerMessage })),
    ),
  );
}

function nameOf({ readers, qos, readsPerMessage, moving, scene }: LoadShape): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  if (scene === 'site') return `a site: ${count(sites.site.tags, 'tag')}, 1 % moving, ${count(readers, 'reader')}`;
  if (scene === 'bluetooth') return `Bluetooth: ${count(sites.bluetooth.tags, 'tag')}, ${count(readers, 'gateway')}`;
  const tags = scene === 'overlapping' ? `, all of the same 1,000 tags${moving ? ', each of them a move' : ''}` : '';
  return `${count(readers, 'reader')}, QoS ${qos}, ${count(readsPerMessage, 'read')} a message${tags}`;
}
