import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { readSettings } from '../../server/kernel/settings.js';
import { prepareFixture, reportProgress, signSession, signTokens, type Undo } from '../fixture.js';
import { createHistogram } from '../ingest/histogram.js';
import { createMessages } from '../ingest/messages.js';
import { connectPublisher } from '../ingest/publisher.js';
import type { LoadOrder, LoadReport } from '../load.js';
import { markdownTable, verdict } from '../markdown-table.js';
import { type Load, type Service, startService, startWorker, type Worker } from '../servers.js';
import { type AttackOrder, attackNames } from './attacks.js';
import { residentBytes } from '../usage.js';
import type { NeighborsOptions } from './options.js';
import { findSides, type Side, seedSides } from './seed.js';

const getsPerSecond = 40;
const getConnections = 8;
const newConnectionsPerSecond = 10;
const messagesPerSecond = 10;
const getP99MsMax = 100;
const getP99TimesQuietMax = 10;
const ackP99MsMax = 500;
const grownBytesMax = 150_000_000;
const memorySampleMs = 200;

/** The measurements of the other organization during an attack. */
type Row = {
  name: string;
  getP50Ms: number;
  getP99Ms: number;
  getMaxMs: number;
  /** Of GETs that open a connection. */
  newP99Ms: number;
  ackP99Ms: number;
  /** Requests that were not answered with 2xx, as text. */
  failure: string;
  tries: number;
  /** The most memory that the service had (RSS); not a number without `/proc`. */
  memoryBytes: number;
};

/** Measures a second organization's GETs and acknowledgements, without and during each attack. */
export async function runNeighborsBench(options: NeighborsOptions, undo: Undo): Promise<void> {
  const { folder, database, client } = await prepareFixture(options.dataDir, undo);
  const { rowCount } = await client.query('SELECT FROM organizations LIMIT 1');
  if (rowCount === 0) {
    reportProgress(`Seeding ${options.assets} assets …`);
    await seedSides(client, options.assets);
  }
  const { attacker, bystander, chainId, mappedAccounts } = await findSides(client);
  const tokens = await signTokens(database, [attacker.keyId, bystander.keyId]);
  const [attackerToken = '', token = ''] = tokens;
  const sessionToken = await signSession(database, attacker.session);
  const tags = await tagsOf(client, attacker);
  const service = await startService({
    databaseUrl: database.url,
    poolSize: readSettings({}).databasePoolSize,
    authSecret: database.authSecret,
    folder,
    profileDir: options.profileDir,
    requestsPerMinute: readSettings({}).rateLimit.requests,
  });
  undo.push(() => service.stop());
  const load = startWorker<LoadOrder, LoadReport>('load');
  undo.push(() => load.stop());
  const attackers: Worker<AttackOrder, { tries: number }> = startWorker('attacker');
  undo.push(() => attackers.stop());

  const watch = { client, service, load, bystander, token, ms: options.ms };
  await observe('warming up', watch);
  const rows = [await observe('quiet', watch)];
  for (const name of attackNames.filter(
    (attack) => options.only.length === 0 || options.only.some((text) => attack.includes(text)),
  )) {
    reportProgress(`${name} …`);
    const { port, mqttPort } = service;
    const order = {
      name,
      port,
      mqttPort,
      token: attackerToken,
      sessionToken,
      tags,
      account: attacker.account,
      mappedAccounts,
      chainId,
    };
    const holdsSeries = name === 'creates that wait for the key series';
    if (holdsSeries) {
      await client.query('BEGIN');
      await client.query("SELECT lock_key_hint($1, 'asset')", [attacker.orgId]);
    }
    const attacking = attackers.run({ ...order, ms: options.ms + 1000 });
    await delay(500);
    const row = await observe(name, watch);
    if (holdsSeries) await client.query('COMMIT');
    rows.push({ ...row, tries: (await attacking).tries });
    await delay(1000);
  }
  console.log(report(rows));
}

type Watch = { client: pg.Client; service: Service; load: Load; bystander: Side; token: string; ms: number };

/** Measures GETs at a steady rate, and acknowledgements of reads, for the given time. */
async function observe(name: string, { client, service, load, bystander, token, ms }: Watch): Promise<Row> {
  const ids = await client.query<{ id: number }>(
    'SELECT id FROM assets WHERE org_id = $1 AND deleted_at IS NULL LIMIT 500',
    [bystander.orgId],
  );
  const requests = ids.rows.map(
    ({ id }) => `GET /api/v1/assets/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const getting = load
    .run({
      port: service.port,
      connections: getConnections,
      requests,
      requestsPerSecond: getsPerSecond,
      until: { ms },
    })
    .then(
      (answered) => ({ ...answered, failure: '' }),
      (error: unknown) => ({
        p50Ms: Number.NaN,
        p99Ms: Number.NaN,
        maxMs: Number.NaN,
        failure: String(error).split('\n')[0] ?? '',
      }),
    );
  const opening = onNewConnections(service.port, requests[0] ?? '', ms);
  const memory = watchMemory(service.pid);
  const ackP99Ms = await acknowledgements({ client, service, bystander, ms });
  const { p50Ms, p99Ms, maxMs, failure } = await getting;
  const newP99Ms = await opening;
  const get = { getP50Ms: p50Ms, getP99Ms: p99Ms, getMaxMs: maxMs };
  return { name, ...get, newP99Ms, ackP99Ms, failure, tries: 0, memoryBytes: memory.end() };
}

/** Returns the 99th percentile of the time from opening a connection to the first byte of its answer. */
async function onNewConnections(port: number, request: string, ms: number): Promise<number> {
  const durations = createHistogram();
  const answers: Promise<void>[] = [];
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs) {
    const startMs = performance.now();
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(request);
    answers.push(
      once(socket, 'data').then(() => {
        durations.add(performance.now() - startMs);
        socket.destroy();
      }),
    );
    await delay(1000 / newConnectionsPerSecond);
  }
  await Promise.all(answers);
  return durations.percentile(0.99);
}

/** Samples the memory of a process until the end, and returns the most. */
function watchMemory(pid: number) {
  let most = 0;
  const sample = () => {
    most = Math.max(most, residentBytes(pid)?.now ?? Number.NaN);
  };
  const timer = setInterval(sample, memorySampleMs);
  return {
    end(): number {
      clearInterval(timer);
      sample();
      return most;
    },
  };
}

/** Returns the 99th percentile of the time to an acknowledgement; a message without one counts until the end. */
async function acknowledgements({ client, service, bystander, ms }: Omit<Watch, 'load' | 'token'>): Promise<number> {
  const messages = createMessages(await tagsOf(client, bystander), 10);
  const durations = createHistogram();
  const publisher = await connectPublisher({
    port: service.mqttPort,
    account: bystander.account,
    qos: 1,
    window: 1000,
    onAck: durations.add,
    onCapacity: () => {},
    onFailure: (error) => reportProgress(String(error)),
  });
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs) {
    if (publisher.hasCapacity()) publisher.send(messages.next(Date.now()), performance.now());
    await delay(1000 / messagesPerSecond);
  }
  await publisher.settled();
  publisher.close();
  return durations.percentile(0.99);
}

async function tagsOf(client: pg.Client, { orgId }: Side): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(
    "SELECT value FROM tags WHERE org_id = $1 AND tag_type = 'rfid' AND deleted_at IS NULL LIMIT 1000",
    [orgId],
  );
  return rows.map(({ value }) => value);
}

function report(rows: readonly Row[]): string {
  const { getP99Ms: quietMs = Number.NaN, memoryBytes: quietBytes = Number.NaN } = rows[0] ?? {};
  const getMsMax = Math.min(getP99MsMax, quietMs * getP99TimesQuietMax);
  const table = markdownTable(
    [
      'Beside',
      'GET p50 ms',
      'GET p99 ms',
      'GET max ms',
      'new connection p99 ms',
      'ack p99 ms',
      'memory MB',
      'tries of the attacker',
      'not 2xx',
    ],
    rows.map(({ name, getP50Ms, getP99Ms, getMaxMs, newP99Ms, ackP99Ms, memoryBytes, tries, failure }) => [
      name,
      ...[getP50Ms, getP99Ms, getMaxMs, newP99Ms, ackP99Ms].map((ms) => (Number.isNaN(ms) ? '' : ms.toFixed(1))),
      Number.isNaN(memoryBytes) ? '' : (memoryBytes / 1e6).toFixed(0),
      tries === 0 ? '' : String(tries),
      failure,
    ]),
  );
  const verdicts = [
    verdict(
      rows.every(({ getP99Ms }) => getP99Ms <= getMsMax),
      `GET p99 within ${getMsMax.toFixed(0)} ms:`,
    ),
    verdict(
      rows.every(({ ackP99Ms }) => ackP99Ms <= ackP99MsMax),
      `ack p99 within ${ackP99MsMax} ms:`,
    ),
    verdict(
      rows.every(({ memoryBytes }) => memoryBytes - quietBytes <= grownBytesMax),
      `memory at most ${grownBytesMax / 1e6} MB above the quiet service:`,
    ),
    verdict(
      rows.every(({ failure }) => failure === ''),
      'every GET answered with 2xx:',
    ),
  ];
  return [table, '', ...verdicts].join('\n');
}
