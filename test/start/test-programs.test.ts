import { spawnSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.js';
import { createTestFolder } from '../support/folder.js';

const { testsNeeding } = (await import(
  pathToFileURL(path.join(projectRoot(), 'scripts', 'test-programs.mjs')).href
)) as { testsNeeding(programs: readonly string[], root: string): string[] };

/** `npm test -- --help`, which runs no test, on a machine without Redis, and without a way to install it. */
function runTests() {
  using folder = createTestFolder('programs');
  const left = new Set(['redis-server', 'apt-get']);
  for (const name of readdirSync('/usr/bin')) {
    if (!left.has(name)) symlinkSync(path.join('/usr/bin', name), path.join(folder.path, name));
  }
  const script = path.join(projectRoot(), 'scripts', 'test.mjs');
  return spawnSync(process.execPath, [script, '--help'], { env: { PATH: folder.path }, encoding: 'utf8' });
}

test('where a program of the tests is missing, npm test says how to install it and leaves out what needs it', () => {
  const { status, stderr } = runTests();
  expect(stderr).toMatch(/sudo apt-get install redis-server\b/);
  expect(stderr).toMatch(/brew install redis\b/);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^Not run: \d+ test files, which need redis-server\b/);
  expect(status).toBe(0);
});

test('the tests that need a program are found through what they import', () => {
  expect(testsNeeding(['redis-server'], projectRoot())).toEqual(
    expect.arrayContaining(['test/server/redis.test.ts', 'test/start/several-processes.test.ts']),
  );
  const needingBroker = testsNeeding(['mosquitto'], projectRoot());
  expect(needingBroker).toContain('test/ingest-broker/external/mosquitto.test.ts');
  expect(needingBroker).not.toContain('test/server/redis.test.ts');
  expect(testsNeeding(['firefox-esr'], projectRoot())).toEqual(['test/browser/firefox.test.ts']);
  expect(testsNeeding([], projectRoot())).toEqual([]);
});
