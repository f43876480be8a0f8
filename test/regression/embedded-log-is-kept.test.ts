import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rotateLog } from '../../server/kernel/database/embedded/log-file.js';
import { startEmbeddedDatabase } from '../../server/kernel/database/embedded.js';
import { createLog } from '../../server/kernel/log.js';
import { createTestFolder } from '../support/folder.js';

const mebibyte = 1024 * 1024;

test('the log of the embedded database is kept over a restart', async () => {
  using folder = createTestFolder();
  const logFile = path.join(folder.path, 'data', 'postgres.log');
  for (const starts of [1, 2]) {
    const database = await startEmbeddedDatabase({
      dataDir: path.join(folder.path, 'data'),
      log: createLog('silent'),
      serverSettings: { fsync: 'off' },
    });
    await database.stop();
    const text = readFileSync(logFile, 'utf8');
    expect(text.match(/ready to accept connections/g)).toHaveLength(starts);
    expect(text.match(/database system is shut down/g)).toHaveLength(starts);
  }
});

test('it is rotated above 10 MiB, four older files are kept, and a writer that has it open goes on', async () => {
  using folder = createTestFolder();
  const logFile = path.join(folder.path, 'postgres.log');
  for (let round = 1; round <= 6; round += 1) {
    writeFileSync(logFile, `round ${round}\n`, { flag: 'a' });
    rotateLog(logFile);
    expect(readFileSync(logFile, 'utf8')).toBe(`round ${round}\n`);
    appendFileSync(logFile, 'x'.repeat(10 * mebibyte));
    rotateLog(logFile);
    expect(statSync(logFile).size).toBe(0);
  }
  expect(
    readdirSync(folder.path)
      .filter((name) => name.startsWith('postgres.log'))
      .toSorted(),
  ).toEqual(['postgres.log', 'postgres.log.1', 'postgres.log.2', 'postgres.log.3', 'postgres.log.4']);
  expect(readFileSync(`${logFile}.1`, 'utf8')).toMatch(/^round 6\n/);
  expect(readFileSync(`${logFile}.4`, 'utf8')).toMatch(/^round 3\n/);
});
