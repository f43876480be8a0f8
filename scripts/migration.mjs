/**
 * `npm run migration -- <name>`: writes a migration from the SQL functions in `prisma/functions/` that differ from the
 * result of all migrations. Starts its own PostgreSQL in a temporary folder, and never touches the service's data.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPackages, prepare, root } from './prepare.mjs';
import { withSources } from './sources.mjs';

/** The database is deleted afterwards, so nothing must reach the disk. */
const serverSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '16MB' };

/** Calls `use` with the address of a new migrated database. Its folder is deleted afterwards, also after Ctrl-C. */
async function withMigratedDatabase(load, use) {
  const { startEmbeddedDatabase } = await load('/server/kernel/database/embedded.ts');
  const { migrate } = await load('/server/kernel/database/migrate.ts');
  const { createLog } = await load('/server/kernel/log.ts');
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-migration-'));
  // Where this runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  const log = createLog('warn');
  const signals = ['SIGINT', 'SIGTERM'];
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  for (const signal of signals) process.on(signal, interrupt);
  try {
    const dataDir = path.join(folder, 'data');
    const database = await startEmbeddedDatabase({ dataDir, log, serverSettings });
    try {
      await migrate({ url: database.url, log });
      if (!interrupted) await use(database.url);
    } finally {
      await database.stop();
    }
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    rmSync(folder, { recursive: true, force: true });
    if (interrupted) process.exitCode = 1;
  }
}

function report({ changed, dropped, obstacles, file }) {
  if (file === undefined) {
    console.log('The functions of the migrations equal prisma/functions/. No migration is needed.');
    return;
  }
  console.log(`Wrote ${path.join('prisma', file)}`);
  for (const signature of changed) console.log(`  creates ${signature}`);
  for (const signature of dropped) console.log(`  drops ${signature}`);
  for (const obstacle of obstacles) console.error(`It fails until you add what is missing: ${obstacle}`);
  if (obstacles.length > 0) process.exitCode = 1;
}

prepare(installPackages);
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || rest.length > 0) {
  console.error('Usage: npm run migration -- <name>');
  process.exit(1);
}
await withSources(async (load) => {
  const { checkMigrationName, writeFunctionMigration } = await load('/scripts/migration/write-migration.ts');
  try {
    checkMigrationName(name);
    await withMigratedDatabase(load, async (url) => {
      const prismaFolder = path.join(root, 'prisma');
      report(await writeFunctionMigration({ url, prismaFolder, name, nowMs: Date.now() }));
    });
  } catch (error) {
    if (error?.name !== 'FunctionFileError' && error?.name !== 'StartError') throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
});
