import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type AccessEntry, onceAnswered, writeAccessLine } from '../../gateway/access-log.js';
import { createLog } from '../../server/kernel/log.js';
import { createListener } from '../support/http-listener.js';
import { sendRaw } from '../support/raw-http.js';

const entry: AccessEntry = {
  requestId: '01HF7YAT00AAAAAAAAAAAAAAAA',
  method: 'PATCH',
  route: '/api/v1/assets/{asset_id}',
  status: 200,
  durationMs: 12.34567,
  aborted: false,
};

function lineOf(changes: Partial<AccessEntry>): Record<string, unknown> {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  writeAccessLine(log, { ...entry, ...changes });
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

test('a probe that succeeds is logged for debugging only', () => {
  for (const route of ['/healthz', '/servez', '/readyz', '/metrics']) {
    expect(lineOf({ route })['level']).toBe('debug');
    expect(lineOf({ route, status: 503 })['level']).toBe('error');
  }
});

test('a line names the request, who made it and what became of it', () => {
  const { time, pid, hostname, ...line } = lineOf({ orgId: 4, keyId: '8b0e', userId: undefined });
  expect([typeof time, typeof pid, typeof hostname]).toStrictEqual(['string', 'number', 'string']);
  expect(line).toStrictEqual({
    level: 'info',
    request_id: entry.requestId,
    org_id: 4,
    key_id: '8b0e',
    method: 'PATCH',
    route: '/api/v1/assets/{asset_id}',
    status: 200,
    duration_ms: 12.35,
    msg: 'request',
  });
});

test('a session is named by its user', () => {
  expect(lineOf({ orgId: 4, userId: 9 })).toMatchObject({ org_id: 4, user_id: 9 });
});

test('failures of the service are logged as errors, failures of the caller are not', () => {
  expect([lineOf({ status: 500 })['level'], lineOf({ status: 499 })['level']]).toStrictEqual(['error', 'info']);
});

test('a rejection because the service stops is not logged as an error', () => {
  const levels = [503, 500].map((status) => lineOf({ status, isFinishing: true })['level']);
  expect(levels).toStrictEqual(['info', 'error']);
  expect(lineOf({ status: 503 })['level']).toBe('error');
});

test('what is not known is left out', () => {
  const line = lineOf({ orgId: null, route: undefined });
  for (const name of ['org_id', 'key_id', 'user_id', 'route', 'aborted']) expect(line).not.toHaveProperty(name);
});

test('an answer is reported once, when it is over', async () => {
  const ends: { durationMs: number; aborted: boolean }[] = [];
  await using listener = await createListener((_request, response) => {
    onceAnswered(response, (end) => ends.push(end));
    response.end(Buffer.from('done'));
  });
  await sendRaw(listener.port, ['GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n']);
  expect(ends).toStrictEqual([{ durationMs: expect.any(Number), aborted: false }]);
  expect(ends[0]?.durationMs).toBeGreaterThan(0);
});

test('an answer that the client did not wait for is reported as aborted', async () => {
  let report: (end: { aborted: boolean }) => void = () => {};
  const end = new Promise<{ aborted: boolean }>((resolve) => {
    report = resolve;
  });
  await using listener = await createListener((_request, response) => onceAnswered(response, report));
  const arrived = once(listener.server, 'request');
  const leaving = new AbortController();
  const answer = fetch(listener.url, { signal: leaving.signal }).catch(() => {});
  await arrived;
  leaving.abort();
  await answer;
  expect(await end).toMatchObject({ aborted: true });
});
