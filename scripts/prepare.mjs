/**
 * The steps that a checkout needs before it can run: packages, database client, compiled service and app. Each step
 * first checks, cheaply, whether anything has to be done. Uses only Node's own modules, since it runs before anything
 * is installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const inRoot = (...parts) => path.join(root, ...parts);

/** A step that failed has already said why on its own output. */
export class StepError extends Error {}

function run(what, [command, ...args], options = {}) {
  console.error(what);
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (result.status !== 0 && result.stderr) process.stderr.write(result.stderr);
  if (result.error) throw new StepError(`${what} failed: ${result.error.message}`);
  if (result.status !== 0) throw new StepError(`${what} failed (${result.signal ?? `exit code ${result.status}`})`);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns what of the packages that the workspaces name is installed: all, only some of them, or also something in another version
 * than in the lock file. What the packages need themselves was installed with them.
 */
function installedOf(workspaces) {
  const wanted = readJson(inRoot('package-lock.json'))?.packages ?? {};
  const installed = readJson(inRoot('node_modules', '.package-lock.json'))?.packages;
  if (!installed) return 'other';
  const isCurrent = ([folder, { version }]) => !wanted[folder] || wanted[folder].version === version;
  const isComplete = (workspace) => {
    const { dependencies, devDependencies } = wanted[workspace] ?? {};
    const isInstalled = (name) => [workspace, '.'].some((at) => path.posix.join(at, 'node_modules', name) in installed);
    return Object.keys({ ...dependencies, ...devDependencies }).every(isInstalled);
  };
  if (!Object.entries(installed).every(isCurrent)) return 'other';
  return workspaces.every(isComplete) ? 'all' : 'some';
}

/** Prisma looks for an engine that nothing here uses; naming any executable keeps it from downloading one. */
const withoutEngine = {
  ...process.env,
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
};

/**
 * Installs with npm, the one that started this script where there is one, unless nothing is missing: what starting the service
 * needs, and what the workspaces need that are named.
 */
export function installPackages(...workspaces) {
  const installed = installedOf(['', ...workspaces]);
  if (installed === 'all') return;
  const chosen = workspaces.map((name) => `--workspace=${name}`);
  // `npm ci` begins by deleting everything, also what a running service still has to read.
  const command = installed === 'some' ? ['install', '--no-save'] : ['ci'];
  const args = [...command, '--include=dev', '--no-audit', '--no-fund'];
  args.push(...(chosen.length > 0 ? ['--include-workspace-root', ...chosen] : ['--workspaces=false']));
  const npm = process.env.npm_execpath;
  const options = { env: withoutEngine, shell: !npm && process.platform === 'win32' };
  if (npm?.endsWith('.js')) run('Installing packages …', [process.execPath, npm, ...args], options);
  else run('Installing packages …', ['npm', ...args], options);
}

/** Installs what the tests need as well. */
export function installTests() {
  installPackages('test');
}

/** Installs the packages of all workspaces. */
export function installAll() {
  installPackages('test', 'checks');
}

function hashOfFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : '').update('\0');
  return hash.digest('hex');
}

function stampIs(file, value) {
  return existsSync(file) && readFileSync(file, 'utf8') === value;
}

/** Generates the Prisma client unless the schema and Prisma's version are unchanged. */
export function generateClient() {
  const stampFile = inRoot('generated', '.stamp');
  const stamp = hashOfFiles([inRoot('prisma', 'schema.prisma'), inRoot('node_modules', 'prisma', 'package.json')]);
  if (stampIs(stampFile, stamp) && existsSync(inRoot('generated', 'prisma', 'client.ts'))) return;
  run(
    'Generating the database client …',
    [process.execPath, inRoot('node_modules', 'prisma', 'build', 'index.js'), 'generate'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: withoutEngine,
    },
  );
  writeFileSync(stampFile, stamp);
}

function* sourceFiles(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) {
    yield `${file} ${stats.size} ${stats.mtimeMs}`;
    return;
  }
  for (const name of readdirSync(file).sort()) yield* sourceFiles(path.join(file, name));
}

/** Node runs the compiled service: imports have full file names, and there is no browser. */
const serviceOptions = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  lib: ['es2023', 'es2024.string', 'esnext.disposable'],
  types: ['node'],
};

/**
 * Rebuilds an output folder unless its sources, files and folders, are unchanged. It gets its name when it is complete.
 */
function buildFolder(output, sources, make) {
  const stamp = sources.flatMap((file) => [...sourceFiles(inRoot(file))]).join('\n');
  if (stampIs(inRoot(output, '.stamp'), stamp)) return;
  const draft = inRoot(`${output}.new-${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  try {
    make(draft);
    writeFileSync(path.join(draft, '.stamp'), stamp);
    replaceFolder(inRoot(output), draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Another process may have built the same at the same time and been first: then its folder stays. */
function replaceFolder(folder, draft) {
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}

/** The service, the commands of its operator, and the programs of processes with limits that the service starts. */
const serviceEntries = ['main.ts', 'admin.ts', 'ingest-broker/mappings/process.ts', 'server/things/images/process.ts'];

/**
 * Compiles what the entry files reach, unless no source file has changed since. One root `tsconfig.json` holds the
 * options; the one written beside the output only narrows it to the entries, so that a test that does not compile never
 * stops the service.
 */
export function buildService(entries = serviceEntries, output = 'dist') {
  const sources = [
    'main.ts',
    'admin.ts',
    'service.ts',
    'server',
    'gateway',
    'ingest-broker',
    'generated/prisma',
    'tsconfig.json',
    'package-lock.json',
  ];
  // The folder of a program beside the service.
  for (const entry of entries) if (path.dirname(entry) !== '.') sources.push(path.dirname(entry));
  buildFolder(output, sources, (draft) => {
    const project = path.join(draft, 'tsconfig.json');
    const compilerOptions = { ...serviceOptions, rootDir: '..', outDir: '.', noEmit: false, noEmitOnError: true };
    writeFileSync(
      project,
      JSON.stringify({
        extends: '../tsconfig.json',
        compilerOptions,
        files: entries.map((entry) => `../${entry}`),
        include: [],
      }),
    );
    run('Building …', [process.execPath, inRoot('node_modules', 'typescript', 'bin', 'tsc'), '-p', project]);
    rmSync(project);
  });
}

/** Builds the app, unless nothing of it has changed; of the service it needs only types. */
export function buildWeb() {
  const output = 'dist-web';
  buildFolder(output, ['web', 'tsconfig.json', 'package-lock.json'], (draft) => {
    const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
    const config = inRoot('web', 'vite.config.ts');
    const options = ['--config', config, '--outDir', draft, '--logLevel', 'warn'];
    run('Building the app …', [process.execPath, vite, 'build', ...options, '--emptyOutDir']);
    run('Building the page of the API …', [process.execPath, vite, 'build', ...options, '--mode', 'docs']);
    packFiles(draft, inRoot(output), { endings: packedEndings, quality: zlib.BROTLI_MAX_QUALITY });
  });
}

/** The sources of the documentation: the pages, what they link to, and the site generator. */
const docsSources = [
  'site',
  'docs',
  'deploy',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  '.env.example',
  'tsconfig.json',
  'package-lock.json',
];

/** Builds the documentation at `/docs`, unless nothing of it has changed. */
export function buildDocs() {
  const output = 'dist-docs';
  buildFolder(output, docsSources, (draft) => {
    const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
    const options = ['--config', inRoot('site', 'vite.config.ts'), '--outDir', draft, '--logLevel', 'warn'];
    run('Building the documentation …', [process.execPath, vite, 'build', ...options, '--emptyOutDir']);
    // Every change of a page changes the index as well, so it has to be compressed quickly.
    packFiles(draft, inRoot(output), { endings: new Set([...packedEndings, '.html', '.txt']), quality: 5 });
  });
}

const packedEndings = new Set(['.css', '.js', '.json', '.svg', '.wasm', '.webmanifest']);

const packings = {
  '.br': (bytes, quality) =>
    brotliCompressSync(bytes, {
      params: { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length, [zlib.BROTLI_PARAM_QUALITY]: quality },
    }),
  '.gz': (bytes) => gzipSync(bytes, { level: 9 }),
};

/**
 * Compresses each text as far as possible beside itself, so that the service never compresses anything. As that is
 * slow, the results of the last build are reused.
 */
function packFiles(folder, lastFolder, { endings, quality }) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!endings.has(path.extname(name))) continue;
    const [file, lastFile] = [path.join(folder, name), path.join(lastFolder, name)];
    const bytes = readFileSync(file);
    const isSame = existsSync(lastFile) && readFileSync(lastFile).equals(bytes);
    for (const [ending, pack] of Object.entries(packings)) {
      if (isSame && existsSync(`${lastFile}${ending}`)) {
        copyFileSync(`${lastFile}${ending}`, `${file}${ending}`);
        continue;
      }
      const packed = pack(bytes, quality);
      if (packed.length < bytes.length) writeFileSync(`${file}${ending}`, packed);
    }
  }
}

/** Runs the steps in order; a failure is one line on standard error and exit code 1. */
export function prepare(...steps) {
  try {
    for (const step of steps) step();
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
