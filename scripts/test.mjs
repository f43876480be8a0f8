/**
 * `npm test`: updates everything that tests start, then runs Vitest with the given arguments. With `browser` as the
 * first argument, as in `npm run test:browser`, runs the tests in a browser; with `slow`, as in `npm run test:slow`, the slow
 * tests. With `--changed` runs only the browser tests of what has changed in the app since the last commit, or since the commit
 * that follows, and only the slow tests that cover a file that has changed since they passed.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { changedBrowserTests, checkBrowserTests } from './changed-browser-tests.mjs';
import { buildService, buildWeb, generateClient, installAll, installTests, prepare, root } from './prepare.mjs';
import { changedSlowTests, slowTests, stampSlowTests } from './slow-tests.mjs';
import { installCommands, programsOf, provideTestPrograms, testsNeeding, withTestPrograms } from './test-programs.mjs';

const kind = ['browser', 'slow'].find((name) => name === process.argv[2]);
const inBrowser = kind === 'browser';
const rest = process.argv.slice(kind ? 3 : 2);

/** The slow tests of this run, if it is one of them that records what has passed: a run of all or of the changed ones. */
let slow;
if (
  kind === 'slow' &&
  rest.every((arg) => arg === '--changed' || /^--(?:reporter|outputFile|maxWorkers)\b/.test(arg))
) {
  prepare(() => {
    slow = rest.includes('--changed') ? changedSlowTests(root) : slowTests(root);
  });
  if (slow.length === 0) {
    console.log('Slow tests: none run, since no file that they cover has changed since they passed');
    process.exit(0);
  }
  console.log(`Slow tests: ${slow.join(', ')}`);
  if (rest.includes('--changed')) rest.splice(rest.indexOf('--changed'), 1);
  rest.push(...slow.map((name) => `test/slow/${name}.test.ts`));
}

if (inBrowser) {
  prepare(() => {
    checkBrowserTests(root);
    const index = rest.indexOf('--changed');
    if (index === -1) return;
    const next = rest[index + 1];
    const commit = next === undefined || next.startsWith('-') ? undefined : next;
    const files = changedBrowserTests(root, commit ?? 'HEAD');
    if (files.length === 0) {
      console.log('Browser tests: none run, since nothing has changed in the app');
      process.exit(0);
    }
    rest.splice(index, commit === undefined ? 1 : 2, ...files);
  });
}

const missing = provideTestPrograms(programsOf[kind ?? 'tests']);
const omitted = testsNeeding(missing, root).filter((file) => kindOf(file) === kind);

/** Returns the kind of run that a test file belongs to. */
function kindOf(file) {
  return /^test\/(browser|slow)\//.exec(file)?.[1];
}

/** Prints what the missing programs prevent, and how to install them. */
function reportOmitted() {
  if (omitted.length === 0) return;
  console.error([...omitted.map((file) => `  ${file}`), ...installCommands(missing)].join('\n'));
  console.error(`Not run: ${omitted.length} test files, which need ${missing.join(' or ')}`);
}

// Every page of these tests is in Chromium.
if (missing.includes('chromium-headless-shell')) {
  reportOmitted();
  process.exit(1);
}

// Tests start the service in several processes at a time, which should find it built.
prepare(inBrowser ? installAll : installTests, generateClient, () => buildService(), buildWeb);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const args = kind ? ['--config', `vitest.${kind}.config.ts`, ...rest] : rest;
for (const file of omitted) args.push('--exclude', file);
const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
  cwd: root,
  stdio: 'inherit',
  env: withTestPrograms(process.env),
});
reportOmitted();
if (slow && status === 0 && omitted.length === 0) stampSlowTests(root, slow);
process.exit(status ?? 1);
