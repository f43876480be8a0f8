import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { createLog } from '../../server/kernel/log.js';
import { createTestFolder } from '../support/folder.js';

test('a program that got the process id of a killed server is not stopped in its place', async () => {
  using folder = createTestFolder();
  const dataDir = path.join(folder.path, 'data');
  let reportLoss = () => {};
  const lost = new Promise<void>((resolve) => {
    reportLoss = resolve;
  });
  const database = await startEmbeddedDatabase({
    dataDir,
    log: createLog('silent'),
    serverSettings: { fsync: 'off', shared_buffers: '16MB' },
    onLost: reportLoss,
  });
  const lockFile = path.join(dataDir, 'postgres', 'postmaster.pid');
  const [pid, ...rest] = readFileSync(lockFile, 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await lost;
  // A process of the same user, which the signal of a command of PostgreSQL would reach.
  const { uid, gid } = statSync(path.join(dataDir, 'postgres'));
  const other = spawn('cat', { uid, gid, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(other, 'exit');
  writeFileSync(lockFile, [other.pid, ...rest].join('\n'));
  await database.stop();
  other.stdin.end();
  expect(await ended).toEqual([0, null]);
});
