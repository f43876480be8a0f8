import type pg from 'pg';
import { readSettings } from '../server/kernel/settings.js';
import { compareAnswers } from './compare.js';
import { markExpiredRows, signTokens, prepareFixture, reportProgress, type Undo } from './fixture.js';
import { measureGrowth } from './growth.js';
import type { LoadOrder, LoadReport } from './load.js';
import { type Bench, type Measured, measure } from './measure.js';
import { createOperations } from './operations.js';
import type { Options } from './options.js';
import { smallOrgAssets, seedLocations, seedOrg, seedScans, takeSamples } from './seed.js';
import { startService, startWorker, startBaseline } from './servers.js';
import { report } from './table.js';
import { residentBytes } from './usage.js';

const growthSlicesPerRound = 7;

/** Runs the whole benchmark: database, rows, processes, measurements, table. Prints progress to standard error. */
export async function runBench(options: Options, undo: Undo): Promise<void> {
  const { folder, database, client, postmasterPid } = await prepareFixture(options.dataDir, undo);
  if (await seed(client, options)) {
    await markExpiredRows(database);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  }
  const { large, small } = await findOrgs(client);
  const samples = await takeSamples(client, large.orgId);
  const tokens = await signTokens(database, [large.keyId, small.keyId]);

  const { databasePoolSize: poolSize } = readSettings({});
  const { url: databaseUrl, authSecret } = database;
  const { profileDir } = options;
  const service = await startService({ databaseUrl, poolSize, authSecret, folder, profileDir });
  undo.push(() => service.stop());
  const baseline = await startBaseline({ databaseUrl, poolSize, orgId: large.orgId });
  undo.push(() => baseline.stop());
  const load = startWorker<LoadOrder, LoadReport>('load');
  undo.push(() => load.stop());

  const { connections, warmUpMs, roundMs, rounds } = options;
  const bench: Bench = {
    service,
    baseline,
    load,
    postmasterPid,
    connections,
    warmUpMs,
    roundMs,
    rounds,
  };

  const [largeToken = '', smallToken = ''] = tokens;
  const isAsked = (name: string) => options.only.length === 0 || options.only.some((text) => name.includes(text));
  const measured: Measured[] = [];
  for (const operation of createOperations({ token: largeToken, samples, assets: options.sizes.assets })) {
    if (!isAsked(operation.name)) continue;
    reportProgress(`${operation.name} …`);
    await compareAnswers(operation, service.port, baseline.port);
    measured.push(await measure(bench, operation));
  }
  const growth = isAsked('growth')
    ? await measureGrowth(bench, client, {
        small: { orgId: small.orgId, token: smallToken },
        large: { orgId: large.orgId, token: largeToken },
        slices: rounds * growthSlicesPerRound,
      })
    : undefined;
  console.log(report({ measured, growth, resident: residentBytes(service.pid) }));
}

/** @returns false if the database was seeded by an earlier run */
async function seed(client: pg.Client, { sizes }: Options): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM organizations LIMIT 1');
  if (rows.length > 0) return false;
  reportProgress(`Seeding ${sizes.assets} assets, ${sizes.locations} locations, ${sizes.events} events …`);
  const { orgId } = await seedOrg(client, 'Large', sizes.assets);
  await seedOrg(client, 'Small', smallOrgAssets);
  await seedLocations(client, orgId, sizes.locations);
  await seedScans(client, orgId, sizes);
  return true;
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
