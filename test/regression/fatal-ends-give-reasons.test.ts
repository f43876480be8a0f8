import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createHealth } from '../../gateway/health.js';
import { createProbeServer } from '../../gateway/probe-server.js';
import { explainEnd } from '../../server/kernel/database/embedded/log-file.js';
import { watchDisk } from '../../server/operations/disk-watch.js';
import { createLog } from '../../server/kernel/log.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { checkResources } from '../../server/kernel/resources.js';
import { readSettings } from '../../server/kernel/settings.js';
import { createTestFolder } from '../support/folder.js';
import { startService } from '../support/service-process.js';

test('the end of the embedded database is reported with the reason from its log', () => {
  using folder = createTestFolder();
  const file = path.join(folder.path, 'postgres.log');
  const full = 'PANIC:  could not write to file "pg_wal/000000010000000000000004": No space left on device';
  const lines = [
    'FATAL:  of an earlier server',
    'LOG:  starting PostgreSQL 18.4',
    'LOG:  database system is ready to accept connections',
    full,
    'LOG:  client backend (PID 41) was terminated by signal 6: Aborted',
    ...Array.from({ length: 50 }, () => 'FATAL:  terminating connection due to unexpected postmaster exit'),
    'LOG:  database system is shut down',
  ];
  writeFileSync(file, lines.join('\n'));
  const { message } = explainEnd(file, undefined);
  expect(message).toContain(`${file}):\n${full}\n`);
  expect(message).not.toContain('of an earlier server');
  expect(message.split('\n')).toHaveLength(3);
  writeFileSync(file, lines.slice(1, 3).join('\n'));
  expect(explainEnd(file, undefined).message).toContain('it was killed, perhaps by the system for want of memory');
  // Then the server could not write why it ended.
  const full16Mib = { bavail: 4095, bsize: 4096, blocks: 1_000_000 };
  expect(explainEnd(file, undefined, () => full16Mib).message).toBe(
    `the embedded PostgreSQL has ended (${file}): the disk is full`,
  );
});

test('a process that may open too few files and connections does not start, and says what to do', async () => {
  using folder = createTestFolder();
  const start = path.join(projectRoot(), 'scripts', 'start.mjs');
  const script = `ulimit -n 400; exec '${process.execPath}' '${start}'`;
  await using service = startService({ folder: folder.path, command: ['sh', '-c', script] });
  expect(await service.ended).toMatchObject({ code: 1 });
  expect(service.output.join('\n')).toContain('this process may open 400 files and connections, and needs 510');
});

test('little memory is logged at the start', () => {
  const warnings: unknown[] = [];
  const log = Object.assign(createLog('silent'), { warn: (...line: unknown[]) => void warnings.push(line) });
  const limit = vi.spyOn(process, 'constrainedMemory').mockReturnValue(767 * 1024 * 1024);
  checkResources({ databasePoolSize: 10 }, log);
  const line = [{ memoryMb: 767 }, expect.stringContaining('below 768 MB the system may end the database')];
  expect(warnings).toContainEqual(line);
  warnings.length = 0;
  limit.mockReturnValue(768 * 1024 * 1024);
  checkResources({ databasePoolSize: 10 }, log);
  expect(warnings).not.toContainEqual([expect.objectContaining({ memoryMb: 768 }), expect.anything()]);
});

test('a disk with less than 5 % free space is logged once, and degrades /readyz', async () => {
  let bavail = 4;
  const warnings: unknown[] = [];
  const log = Object.assign(createLog('silent'), { warn: (...args: unknown[]) => void warnings.push(args) });
  const disk = watchDisk({ folder: '/data', log, statfs: () => ({ bsize: 1024, blocks: 100, bavail }) });
  const core = { checkDatabase: async () => {} } as Parameters<typeof createHealth>[0]['core'];
  const probes = { brokerListening: () => true, isDiskLow: disk.isLow };
  const { handlers } = createHealth({ core: { ...core }, settings: readSettings({}), log, probes });
  const server = createProbeServer({ host: '127.0.0.1', port: 0, handlers });
  try {
    const { port } = await server.listen();
    const ready = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return { code: response.status, ...((await response.json()) as object) };
    };
    expect(await ready()).toMatchObject({ code: 200, status: 'degraded', checks: { disk: 'failed', database: 'ok' } });
    expect(warnings).toHaveLength(1);
    bavail = 5;
    expect(await ready()).toMatchObject({ code: 200, status: 'ok', checks: { disk: 'ok' } });
  } finally {
    disk.stop();
    await server.close();
  }
});
