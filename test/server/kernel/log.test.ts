import { expect, test } from 'vitest';
import { createLog } from '../../../server/kernel/log.js';

/** A log, and the entries that it has written. */
function createCollectedLog(level: 'info' | 'warn') {
  const entries: Record<string, unknown>[] = [];
  const log = createLog(level, { write: (line) => entries.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, entries };
}

test('an entry is one JSON line with a named level and an ISO time', () => {
  const { log, entries } = createCollectedLog('info');
  log.info({ route: '/api/v1/assets' }, 'request');
  expect(entries).toEqual([
    expect.objectContaining({
      level: 'info',
      route: '/api/v1/assets',
      msg: 'request',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    }),
  ]);
});

test('entries below the level are left out', () => {
  const { log, entries } = createCollectedLog('warn');
  log.info('quiet');
  log.warn('loud');
  expect(entries.map(({ msg }) => msg)).toEqual(['loud']);
});

test('secrets are not written, at the top or one level below it', () => {
  const { log, entries } = createCollectedLog('info');
  log.info({ token: 'hunter2', headers: { authorization: 'Bearer hunter2', cookie: 'refresh=hunter2' } }, 'request');
  log.info({ settings: { authSecret: 'hunter2' }, reader: { mqtt_password: 'hunter2' } }, 'start');
  expect(JSON.stringify(entries)).not.toContain('hunter2');
});

test('the connection that the driver attaches to an error is not written', () => {
  const { log, entries } = createCollectedLog('info');
  const error = Object.assign(new Error('Connection terminated unexpectedly'), {
    client: { processID: 4711, secretKey: 1_234_567_890 },
  });
  log.error({ err: error }, 'database');
  expect(entries).toEqual([expect.objectContaining({ msg: 'database' })]);
  expect(entries[0]?.['err']).toMatchObject({ message: 'Connection terminated unexpectedly' });
  expect(JSON.stringify(entries)).not.toContain('1234567890');
});
