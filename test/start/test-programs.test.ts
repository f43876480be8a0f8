import { spawnSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';

const { testsNeeding } = (await import(
  pathToFileURL(path.join(projectRoot(), 'scripts', 'test-programs.mjs')).href
)) as { testsNeeding(programs: readonly string[], root: string): string[] };

/** Runs `npm test` or `npm run test:browser` on a machine that lacks programs, and a way to install them. */
function runTests(lacking: readonly string[], ...args: string[]) {
  using folder = createTestFolder('programs');
  const omitted = new Set([...lacking, 'apt-get']);
  for (const name of readdirSync('/usr/bin')) {
    if (!omitted.has(name)) symlinkSync(path.join('/usr/bin', name), path.join(folder.path, name));
  }
  const script = path.join(projectRoot(), 'scripts', 'test.mjs');
  return spawnSync(process.execPath, [script, ...args], { env: { PATH: folder.path }, encoding: 'utf8' });
}

test('where a program of the tests is missing, npm test says how to install it and leaves out what needs it', () => {
  // Runs no test.
  const { status, stderr } = runTests(['redis-server'], '--help');
  expect(stderr).toMatch(/sudo apt-get install redis-server\b/);
  expect(stderr).toMatch(/brew install redis\b/);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^Not run: \d+ test files, which need redis-server\b/);
  expect(status).toBe(0);
});

test('without Python and curl the tests that run the documentation are left out, and counted', () => {
  const { status, stderr } = runTests(['python3', 'curl'], '--help');
  expect(stderr).toContain(
    '  test/docs/cookbook.test.ts\n  test/docs/quick-start.test.ts\n  test/docs/webhooks.test.ts\n',
  );
  expect(stderr).toMatch(/sudo apt-get install (?:\S+ )*curl python3$/m);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^Not run: \d+ test files, which need (?:.+ or )?curl or python3$/,
  );
  expect(status).toBe(0);
});

test('without Chromium npm run test:browser names the test files that did not run, and how to install it', () => {
  const chromiums = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const { status, stderr } = runTests(chromiums, 'browser');
  expect(stderr).toContain('  test/browser/scan.test.ts\n');
  expect(stderr).not.toContain('  test/server/');
  const lines = stderr.trimEnd().split('\n');
  expect(lines.slice(-4).join('\n')).toMatch(/sudo apt-get install chromium-headless-shell\b/);
  expect(lines.at(-1)).toMatch(/^Not run: \d+ test files, which need chromium-headless-shell\b/);
  expect(status).toBe(1);
});

test('the tests that need a program are found through what they import', () => {
  expect(testsNeeding(['redis-server'], projectRoot())).toEqual(
    expect.arrayContaining(['test/server/kernel/redis.test.ts', 'test/slow/several-processes.test.ts']),
  );
  const needingBroker = testsNeeding(['mosquitto'], projectRoot());
  expect(needingBroker).toContain('test/ingest-broker/external/mosquitto.test.ts');
  expect(needingBroker).not.toContain('test/server/kernel/redis.test.ts');
  expect(testsNeeding(['firefox-esr'], projectRoot())).toEqual(['test/browser/firefox.test.ts']);
  expect(testsNeeding(['curl'], projectRoot())).toEqual([
    'test/browser/api-docs.test.ts',
    'test/browser/keys.test.ts',
    'test/docs/cookbook.test.ts',
    'test/docs/quick-start.test.ts',
  ]);
  expect(testsNeeding(['python3'], projectRoot())).toEqual([
    'test/docs/cookbook.test.ts',
    'test/docs/webhooks.test.ts',
  ]);
  expect(testsNeeding(['procps'], projectRoot())).toContain('test/slow/webhooks-kill.test.ts');
  expect(testsNeeding([], projectRoot())).toEqual([]);
});
