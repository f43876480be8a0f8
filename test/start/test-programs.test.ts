import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.js';

test('where a program of the tests is missing and cannot be installed, npm test says how to get it', () => {
  const script = path.join(projectRoot(), 'scripts', 'test.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { env: { PATH: '/nowhere' }, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('redis-server');
  expect(stderr).toMatch(/sudo apt-get install .*redis-server/);
  expect(stderr).toMatch(/brew install .*redis/);
});
