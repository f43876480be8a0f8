/** Which slow tests have to run: each covers some files, and `test/slow/stamp.json` has a hash of them from when it last passed. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StepError } from './prepare.mjs';
import { importsOf, runTimeImportsOf } from './test-programs.mjs';

const folder = 'test/slow';
const stampFile = `${folder}/stamp.json`;

/** The start and the stop of a service. */
const service = [
  'main.ts',
  'service.ts',
  'server/core.ts',
  'server/kernel/settings.ts',
  'gateway/health.ts',
  'scripts/start.mjs',
];

/** The connections to the database, which have to survive the end of it or of a process. */
const connections = ['client', 'transaction', 'request-database', 'faults', 'replication-faults'].map(
  (name) => `server/kernel/database/${name}.ts`,
);
const embedded = ['server/kernel/database/embedded.ts', 'server/kernel/database/embedded'];
const migrations = ['prisma/migrations', 'server/kernel/database/migrate.ts'];
const demo = ['demo', 'scripts/demo.mjs'];

/** The way of a read from the socket to the database: broker, ingestion and connections, and what the database does by itself. */
const wayOfRead = [
  { from: 'ingest-broker/index.ts' },
  { from: 'server/tracking/scans/ingestion.ts' },
  { from: 'server/kernel/database/client.ts' },
  'prisma/migrations',
  'prisma/functions',
];

/**
 * What each test covers, besides the test itself, what it imports of `test/`, and the packages of the service: a file, a folder,
 * or `from` a module with all modules that it imports at run time. A test that covers more runs more often; what a test of the main
 * suite notices too need not be here.
 */
const coveredBy = {
  backup: [
    'server/operations/backup',
    'server/operations/admin/backup-command.ts',
    'server/operations/admin/reset-password-command.ts',
    ...migrations,
  ],
  demo: [...demo, ...service],
  'demo-day': [...demo, 'server/locating'],
  'containers-killed': wayOfRead,
  'durability-crowd': wayOfRead,
  'durability-frozen': wayOfRead,
  'durability-kill': wayOfRead,
  embedded,
  'external-killed': wayOfRead,
  failover: ['deploy/haproxy-postgres.cfg', 'docs/scaling.md', 'ingest-broker/flow.ts', ...connections, ...service],
  'frozen-database': ['server/kernel/database', 'server/kernel/deadline.ts', 'server/kernel/jobs', ...service],
  'migration-script': ['scripts/migration.mjs', 'scripts/migration', ...migrations],
  'power-loss': ['test/slow/power-loss', ...wayOfRead, ...embedded],
  'rolling-script': ['deploy/rolling-upgrade.sh'],
  'rolling-upgrade': [
    'deploy/haproxy.cfg',
    'gateway/app.ts',
    'gateway/index.ts',
    'gateway/connection-ends.ts',
    'gateway/probes.ts',
    'gateway/health.ts',
    'ingest-broker/index.ts',
    'ingest-broker/broker.ts',
    ...connections,
    ...service,
  ],
  'restored-database-sends-nothing': [
    'server/operations/backup',
    'server/notifying/webhooks',
    'server/people/mail',
    ...migrations,
  ],
  'several-processes': ['server/kernel/redis.ts', 'server/kernel/shared-redis.ts', ...wayOfRead, ...service],
  start: [...embedded, ...migrations, ...service],
  'stopping-under-load': ['gateway', 'server/kernel/jobs', ...wayOfRead, ...service],
  'tampered-backups': ['server/operations/backup', 'server/operations/admin/backup-command.ts'],
  'upgrade-database': [
    'server/operations/admin/upgrade-database-command.ts',
    'scripts/upgrade-database.mjs',
    ...embedded,
  ],
  'webhooks-kill': [
    'server/notifying/webhooks',
    'server/notifying/events',
    'server/kernel/jobs',
    ...connections,
    ...service,
  ],
};

const read = (root, file) => readFileSync(path.join(root, file), 'utf8');

function filesBelow(root, entry) {
  if (!existsSync(path.join(root, entry)))
    throw new StepError(`scripts/slow-tests.mjs names ${entry}, which does not exist`);
  if (!statSync(path.join(root, entry)).isDirectory()) return [entry];
  return readdirSync(path.join(root, entry)).flatMap((name) => filesBelow(root, `${entry}/${name}`));
}

/** Adds a file, and what it imports, by a function that returns the imports of a file. */
function addImports(root, file, { found, importsOf: importsOfFile }) {
  if (found.has(file) || file.startsWith('generated/') || !existsSync(path.join(root, file))) return;
  found.add(file);
  for (const imported of importsOfFile(file, root)) addImports(root, imported, { found, importsOf: importsOfFile });
}

const testImportsOf = (file, root) => importsOf(file, root).filter((imported) => imported.startsWith('test/'));

/** All of the core: what it imports has nothing to do with the way of a read in particular. */
const core = 'server/index.ts';

const moduleImportsOf = (file, root) => (file === core ? [] : runTimeImportsOf(file, root));

/** Returns the files that a slow test covers, from `root`, in order. */
export function filesCoveredBy(root, name) {
  const found = new Set();
  addImports(root, `${folder}/${name}.test.ts`, { found, importsOf: testImportsOf });
  for (const entry of coveredBy[name]) {
    if (typeof entry === 'string') for (const file of filesBelow(root, entry)) found.add(file);
    else addImports(root, filesBelow(root, entry.from)[0], { found, importsOf: moduleImportsOf });
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

/** Returns what counts of a file: of a page only its commands and examples. */
function contentOf(root, file) {
  const text = read(root, file);
  return file.endsWith('.md') ? (text.match(/^```[^]*?^```/gm) ?? []).join('\n') : text;
}

function hashOf(root, name) {
  const hash = createHash('sha256').update(JSON.stringify(JSON.parse(read(root, 'package.json')).dependencies));
  for (const file of filesCoveredBy(root, name)) hash.update(`\0${file}\0`).update(contentOf(root, file));
  return hash.digest('hex');
}

function readStamp(root) {
  return existsSync(path.join(root, stampFile)) ? JSON.parse(read(root, stampFile)) : {};
}

/** Returns the names of all slow tests. Throws if one has no line above. */
export function slowTests(root) {
  const names = readdirSync(path.join(root, folder)).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []);
  const unknown = names.find((name) => !(name in coveredBy));
  if (unknown) throw new StepError(`scripts/slow-tests.mjs does not say what ${unknown} covers`);
  return names.sort();
}

/** Returns the slow tests that cover a file that has changed since they passed. */
export function changedSlowTests(root) {
  const stamp = readStamp(root);
  return slowTests(root).filter((name) => stamp[name] !== hashOf(root, name));
}

/** Records that tests have passed with the files as they are. */
export function stampSlowTests(root, names) {
  const stamp = { ...readStamp(root), ...Object.fromEntries(names.map((name) => [name, hashOf(root, name)])) };
  const kept = slowTests(root).flatMap((name) => (name in stamp ? [[name, stamp[name]]] : []));
  writeFileSync(path.join(root, stampFile), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
