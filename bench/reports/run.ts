import { loadavg } from 'node:os';
import { openDatabase, type Database } from '../../server/kernel/database/client.js';
import { readDwell } from '../../server/tracking/reports/dwell.js';
import { readFlow } from '../../server/tracking/reports/flow.js';
import { countUnseen, listUnseenRows } from '../../server/tracking/reports/unseen.js';
import { readUse } from '../../server/tracking/reports/use.js';
import { listPresentRows } from '../../server/tracking/visits/assets.js';
import { countAtInstant } from '../../server/tracking/visits/counts.js';
import { listMoveRows } from '../../server/tracking/visits/moves.js';
import { prepareFixture, reportProgress, type Undo } from '../fixture.js';
import { markdownTable } from '../markdown-table.js';
import type { ReportsOptions } from './options.js';
import { type ReportWorld, seedReportWorld } from './seed.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 90;

type Ask = (db: Database) => Promise<unknown>;

/** Returns the queries in the order of the table. */
function questionsOf({ orgId, assetId, siteId, locationId }: ReportWorld, nowMs: number): [name: string, ask: Ask][] {
  const whole = { fromMs: nowMs - days * dayMs, untilMs: nowMs };
  const month = { fromMs: nowMs - 30 * dayMs, untilMs: nowMs };
  const paging = { limit: 50, offset: 0 };
  const present = { includingSublocations: true, q: undefined, paging };
  const counts =
    (locationId: number | null, agoMs: number): Ask =>
    (db) =>
      countAtInstant(db, orgId, { locationId, atMs: nowMs - agoMs, limit: 10_000 });
  return [
    ['counts of all locations, an hour ago', counts(null, hourMs)],
    ['counts of all locations, 7 days ago', counts(null, 7 * dayMs)],
    ['counts of all locations, 60 days ago', counts(null, 60 * dayMs)],
    ['counts of one location, 7 days ago', counts(locationId, 7 * dayMs)],
    [
      'assets of the site, 7 days ago',
      (db) => listPresentRows(db, orgId, { ...present, locationId: siteId, atMs: nowMs - 7 * dayMs }),
    ],
    [
      'assets of one location, 7 days ago',
      (db) => listPresentRows(db, orgId, { ...present, locationId, atMs: nowMs - 7 * dayMs }),
    ],
    [
      'moves of an hour, a page of 1,000',
      (db) => {
        const fromMs = nowMs - 7 * dayMs;
        const request = { fromMs, untilMs: fromMs + hourMs, after: null, locationId: null, limit: 1000 };
        return listMoveRows(db, orgId, request);
      },
    ],
    ['dwell time, 90 days', (db) => readDwell(db, orgId, { period: whole, locationId: null, limit: 500 })],
    ['dwell time, 30 days', (db) => readDwell(db, orgId, { period: month, locationId: null, limit: 500 })],
    ['flow, 90 days', (db) => readFlow(db, orgId, { period: whole, locationId: null, limit: 500 })],
    ['flow, 30 days', (db) => readFlow(db, orgId, { period: month, locationId: null, limit: 500 })],
    ['flow of one location, 30 days', (db) => readFlow(db, orgId, { period: month, locationId, limit: 500 })],
    [
      'use of an asset, 90 days',
      (db) => readUse(db, orgId, { assetId, period: whole, timeZone: 'Europe/Berlin', nowMs }),
    ],
    [
      'assets not seen for 30 days',
      async (db) => {
        const request = { beforeMs: nowMs - 30 * dayMs, locationId: null };
        await listUnseenRows(db, orgId, { ...request, paging });
        await countUnseen(db, orgId, { ...request, limit: 20 });
      },
    ],
  ];
}

/** Runs each query of the reports some times on one connection of requests, and prints the durations. */
export async function runReportsBench({ rounds, explain, ...sizes }: ReportsOptions, undo: Undo): Promise<void> {
  const { database, client } = await prepareFixture(undefined, undo);
  reportProgress(`Seeding ${sizes.visits} visits; the load of the machine is ${(loadavg()[0] ?? 0).toFixed(2)} …`);
  const world = await seedReportWorld(client, { ...sizes, days });
  if (explain) await client.query("ALTER SYSTEM SET session_preload_libraries = 'auto_explain'");
  if (explain) await client.query('ALTER SYSTEM SET auto_explain.log_min_duration = 100');
  if (explain) await client.query('ALTER SYSTEM SET auto_explain.log_analyze = on');
  if (explain) await client.query("ALTER SYSTEM SET client_min_messages = 'log'");
  if (explain) await client.query('SELECT pg_reload_conf()');
  const { db, pool, close } = openDatabase({ url: database.url, poolSize: 1, purpose: 'requests' });
  undo.push(close);
  if (explain) pool.on('connect', (each) => each.on('notice', ({ message }) => console.error(message)));
  const rows: string[][] = [];
  for (const [name, ask] of questionsOf(world, Date.now())) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begin = performance.now();
      await ask(db);
      times.push(performance.now() - begin);
    }
    times.sort((one, other) => one - other);
    rows.push([name, ...[times[Math.floor(times.length / 2)], times.at(-1)].map((ms = 0) => ms.toFixed(0))]);
  }
  reportProgress(`The load of the machine is ${(loadavg()[0] ?? 0).toFixed(2)}.`);
  console.log(markdownTable(['Question', 'median, ms', 'slowest, ms'], rows));
}
