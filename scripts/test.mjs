/**
 * `npm test`: updates everything that tests start, then runs Vitest with the given arguments. With `browser` as the
 * first argument, as in `npm run test:browser`, runs the tests in a browser.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildService, buildWeb, generateClient, installPackages, prepare, root } from './prepare.mjs';
import { installCommands, provideTestPrograms, testsNeeding, withTestPrograms } from './test-programs.mjs';

const [kind, ...rest] = process.argv.slice(2);
const inBrowser = kind === 'browser';

// Without windows and an address bar of its own, Chromium takes a fifth less time.
const browsers = ['chromium-headless-shell', 'firefox-esr'];
const servers = ['redis-server', 'mosquitto', 'haproxy', 'prometheus'];
const missing = provideTestPrograms(inBrowser ? [...browsers, 'curl'] : [...servers, 'procps', 'curl', 'python3']);
const omitted = testsNeeding(missing, root).filter((file) => file.startsWith('test/browser/') === inBrowser);

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
prepare(installPackages, generateClient, () => buildService(), buildWeb);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const args = inBrowser ? ['--config', 'vitest.browser.config.ts', ...rest] : process.argv.slice(2);
for (const file of omitted) args.push('--exclude', file);
const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
  cwd: root,
  stdio: 'inherit',
  env: withTestPrograms(process.env),
});
reportOmitted();
process.exit(status ?? 1);
