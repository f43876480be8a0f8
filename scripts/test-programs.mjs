/** The programs that the tests start besides the service, and how to install them. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StepError } from './prepare.mjs';

/** Folders of servers that are not in the path of an ordinary user. */
const moreFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin'];

/**
 * Installs the packages without starting their servers: the tests start their own, and a port in use would keep the service from
 * starting. Debian asks `policy-rc.d` before it starts what it has installed. Every command is printed before it runs.
 */
const installScript = `
  set -x
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > "$policy"
    chmod 755 "$policy"
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  # One by one only where a distribution lacks some of them, as each run of apt-get takes seconds.
  apt-get install --yes --no-install-recommends "$@" ||
    for package in "$@"; do apt-get install --yes --no-install-recommends "$package" || true; done
  if command -v systemctl > /dev/null; then systemctl disable --quiet "$@" || true; fi
`;

function isOnPath(program, searched) {
  return searched.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Programs that serve as well: those that other systems call by another name, and Chromium with its windows. */
const otherNames = {
  'firefox-esr': ['firefox'],
  'chromium-headless-shell': ['chromium', 'chromium-browser', 'google-chrome'],
  prometheus: ['promtool'],
  procps: ['ps'],
};

const ofTests = ['redis-server', 'mosquitto', 'haproxy', 'prometheus', 'procps', 'curl', 'python3'];

/** What each kind of tests starts. Without windows and an address bar of its own, Chromium takes a fifth less time. */
export const programsOf = {
  tests: ofTests,
  browser: ['chromium-headless-shell', 'firefox-esr', 'curl'],
  slow: [...ofTests, 'gcc'],
};

/** Packages for systems without the usual package of a program. */
const otherPackages = { 'chromium-headless-shell': 'chromium' };

/** Packages that a program needs to be of use, and that come with it only as recommendations. */
const morePackages = { gcc: ['libc6-dev'] };

function succeeds(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Returns the environment in which the programs of the tests are found by name. */
export function withTestPrograms(env) {
  const searched = [...(env.PATH ?? '').split(path.delimiter), ...moreFolders];
  return { ...env, PATH: [...new Set(searched)].filter(Boolean).join(path.delimiter) };
}

/** Returns lines with the commands that install programs, named as Debian names their packages. */
export function installCommands(programs) {
  const elsewhere = programs
    .map((program) => otherPackages[program] ?? program.replace(/-(?:server|esr)$/, ''))
    .join(' ');
  return [
    `Some tests need ${programs.join(' and ')}. To install:`,
    `  Debian, Ubuntu  sudo apt-get install ${programs.join(' ')}`,
    `  Fedora          sudo dnf install ${elsewhere}`,
    `  macOS           brew install ${elsewhere}`,
  ];
}

/**
 * Returns the programs that are missing. Root, in a container or on a CI machine, gets them installed first; for other users
 * nothing is installed, and the commands to do so are printed. Programs are named as Debian names their packages.
 */
export function provideTestPrograms(programs) {
  const searched = withTestPrograms(process.env).PATH.split(path.delimiter);
  const findMissing = () =>
    programs.filter((program) => ![program, ...(otherNames[program] ?? [])].some((name) => isOnPath(name, searched)));
  const missing = findMissing();
  if (missing.length === 0) return [];
  if (process.getuid?.() === 0 && succeeds('apt-get', '--version')) {
    console.error(`Installing ${missing.join(' and ')} for the tests …`);
    const install = (packages) =>
      spawnSync('sh', ['-ec', installScript, 'sh', ...packages], { stdio: ['ignore', 'ignore', 2] });
    install(missing.flatMap((program) => [program, ...(morePackages[program] ?? [])]));
    const others = findMissing().flatMap((program) => otherPackages[program] ?? []);
    if (others.length > 0) install(others);
    if (findMissing().length === 0) return [];
  }
  console.error(installCommands(missing).join('\n'));
  return findMissing();
}

/** Does the same for a script that requires them. */
export function requireTestPrograms(programs) {
  if (provideTestPrograms(programs).length > 0) throw new StepError('Without them nothing was done.');
}

/** The test modules that start each program. */
const starters = {
  'chromium-headless-shell': ['test/browser/support/browser.ts'],
  'firefox-esr': ['test/browser/support/firefox.ts'],
  'redis-server': ['test/support/redis.ts'],
  mosquitto: ['test/support/mosquitto.ts'],
  haproxy: ['test/support/haproxy.ts'],
  prometheus: ['test/support/promtool.ts'],
  procps: ['test/support/database-process.ts'],
  // The commands of the documentation are in terminals.
  curl: ['test/browser/support/curl.ts', 'test/docs/terminals.ts'],
  python3: ['test/docs/python.ts'],
  gcc: ['test/slow/power-loss.test.ts'],
};

/** Returns the test files, by their path from `root`, that import a module which starts one of the programs. */
export function testsNeeding(programs, root) {
  const files = readdirSync(path.join(root, 'test'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join('test', name.split(path.sep).join('/')));
  const imports = new Map(files.map((file) => [file, importsOf(file, root)]));
  const needing = new Set(programs.flatMap((program) => starters[program] ?? []));
  for (let before = -1; before !== needing.size; ) {
    before = needing.size;
    for (const [file, imported] of imports) if (imported.some((each) => needing.has(each))) needing.add(file);
  }
  return [...needing].filter((file) => file.endsWith('.test.ts')).sort((a, b) => (a < b ? -1 : 1));
}

/** Returns the files that a TypeScript file imports by a relative path, from `root`. */
export function importsOf(file, root) {
  const source = readFileSync(path.join(root, file), 'utf8');
  return Array.from(source.matchAll(/from '(\.[^']+)\.js'/g), ([, imported]) =>
    path.posix.join(path.posix.dirname(file), `${imported}.ts`),
  );
}

/** Does the same as `importsOf` without imports of types alone, which leave nothing to run. */
export function runTimeImportsOf(file, root) {
  const source = readFileSync(path.join(root, file), 'utf8');
  const statements = source.matchAll(/^(?:import|export) (?!type )[^;']*?(?:from )?'(\.[^']+)\.js'/gm);
  return Array.from(statements, ([, imported]) => path.posix.join(path.posix.dirname(file), `${imported}.ts`));
}
