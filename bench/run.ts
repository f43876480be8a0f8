import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createIdentity } from '../server/auth/identity.js';
import { createDatabase } from '../server/database/client.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../server/database/embedded.js';
import { findPostmaster } from '../server/database/embedded/postmaster.js';
import { migrate } from '../server/database/migrate.js';
import { createLog } from '../server/log.js';
import { ensurePartitions } from '../server/scans/partitions.js';
import { readSettings } from '../server/settings.js';
import { compareAnswers } from './compare.js';
import { measureGrowth } from './growth.js';
import { type Bench, type Measured, measure } from './measure.js';
import { createOperations } from './operations.js';
import type { Options } from './options.js';
import { SMALL_ORG_ASSETS, seedLocations, seedOrg, seedScans, takeSamples } from './seed.js';
import { startLoad, startService, startYardstick } from './servers.js';
import { report } from './table.js';
import { residentBytes } from './usage.js';

const GROWTH_SLICES_PER_ROUND = 7;

/** What is to be undone when the run ends, however it ends: the last started first. */
export type Undo = (() => unknown)[];

const log = createLog('warn');

/** The whole benchmark: database, rows, processes, measurements, table. Progress goes to standard error. */
export async function runBench(options: Options, undo: Undo): Promise<void> {
  const folder = openFolder(options, undo);
  const database = await startEmbeddedDatabase({ dataDir: path.join(folder, 'data'), log });
  undo.push(() => database.stop());
  await migrate({ url: database.url, log });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  undo.push(() => client.end());
  await describeMachine(client);

  await seed(client, database, options);
  const { large, small } = await findOrgs(client);
  const samples = await takeSamples(client, large.orgId);
  const tokens = await mintTokens(database, [large.keyId, small.keyId]);

  const { databasePoolSize: poolSize } = readSettings({});
  const { url: databaseUrl, authSecret } = database;
  const { profileDir } = options;
  const service = await startService({ databaseUrl, poolSize, authSecret, folder, profileDir });
  undo.push(() => service.stop());
  const yardstick = await startYardstick({ databaseUrl, poolSize, orgId: large.orgId });
  undo.push(() => yardstick.stop());
  const load = startLoad();
  undo.push(() => load.stop());

  const postmaster = findPostmaster(path.join(folder, 'data', 'postgres'));
  if (typeof postmaster !== 'object') throw new Error('the database is not running');
  const { connections, warmUpMs, roundMs, rounds } = options;
  const bench: Bench = {
    ...{ service, yardstick, load, connections, warmUpMs, roundMs, rounds },
    postmasterPid: postmaster.pid,
  };

  const [largeToken = '', smallToken = ''] = tokens;
  const isAsked = (name: string) => options.only.length === 0 || options.only.some((text) => name.includes(text));
  const measured: Measured[] = [];
  for (const operation of createOperations({ token: largeToken, samples, assets: options.sizes.assets })) {
    if (!isAsked(operation.name)) continue;
    tell(`${operation.name} …`);
    await compareAnswers(operation, service.port, yardstick.port);
    measured.push(await measure(bench, operation));
  }
  const growth = isAsked('growth')
    ? await measureGrowth(bench, client, {
        small: { orgId: small.orgId, token: smallToken },
        large: { orgId: large.orgId, token: largeToken },
        slices: rounds * GROWTH_SLICES_PER_ROUND,
      })
    : undefined;
  console.log(report({ measured, growth, resident: residentBytes(service.pid) }));
}

function openFolder({ dataDir }: Options, undo: Undo): string {
  if (dataDir !== undefined) {
    mkdirSync(dataDir, { recursive: true });
    return dataDir;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-bench-'));
  // PostgreSQL runs as another user where this process is root's.
  chmodSync(folder, 0o711);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function describeMachine(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const processors = cpus();
  tell(
    `${processors.length} processors (${processors[0]?.model.trim()}), Node ${process.versions.node}, PostgreSQL ${rows[0]?.server_version} with durable settings`,
  );
}

async function seed(client: pg.Client, database: EmbeddedDatabase, { sizes }: Options): Promise<void> {
  const { rows } = await client.query('SELECT FROM organizations LIMIT 1');
  if (rows.length > 0) return;
  tell(`Seeding ${sizes.assets} assets, ${sizes.locations} locations, ${sizes.events} events …`);
  const db = createDatabase({ url: database.url, poolSize: 2 });
  await ensurePartitions(db, { retentionDays: readSettings({}).eventRetentionDays, nowMs: Date.now() });
  await db.$disconnect();
  const { orgId } = await seedOrg(client, 'Large', sizes.assets);
  await seedOrg(client, 'Small', SMALL_ORG_ASSETS);
  await seedLocations(client, orgId, sizes.locations);
  await seedScans(client, orgId, sizes);
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

type Org = { orgId: number; keyId: string };

async function findOrgs(client: pg.Client): Promise<{ large: Org; small: Org }> {
  const { rows } = await client.query<Org>(
    `SELECT o.id AS "orgId", k.id AS "keyId"
       FROM organizations o
       JOIN api_keys k ON k.org_id = o.id
      ORDER BY o.id`,
  );
  const [large, small] = rows;
  if (!large || !small) throw new Error('the database is not seeded');
  return { large, small };
}

async function mintTokens({ url, authSecret }: EmbeddedDatabase, keyIds: readonly string[]): Promise<string[]> {
  const db = createDatabase({ url, poolSize: 1 });
  const { environment } = readSettings({});
  const identity = createIdentity({ db, log, settings: { authSecret, environment } });
  const tokens = await Promise.all(keyIds.map((id) => identity.signApiKey({ id, expiresAtMs: null })));
  await identity.stop();
  await db.$disconnect();
  return tokens;
}

function tell(line: string): void {
  console.error(line);
}
