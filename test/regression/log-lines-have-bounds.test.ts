import { expect, test } from 'vitest';
import { createLog } from '../../server/kernel/log.js';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  for (const line of lines) expect(line.length).toBeLessThan(40_000);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const long = 'x'.repeat(65_536);

test('a value that a client chose is truncated, wherever it stands, and says how long it was', () => {
  const short = `${'x'.repeat(256)}… (65536 characters)`;
  const [line] = linesOf((log) => log.info({ username: long, packet: { clientId: long, topics: ['a', long] } }, 'm'));
  expect(line).toMatchObject({ username: short, packet: { clientId: short, topics: ['a', short] } });
});

test('a character is not cut in half', () => {
  const [line] = linesOf((log) => log.info({ username: `${'x'.repeat(255)}\u{1f4e6}${long}` }, 'm'));
  expect(line?.['username']).toBe(`${'x'.repeat(255)}\ufffd… (65793 characters)`);
});

test('the texts of an error are bounded, and its fields too', () => {
  const error = Object.assign(new Error(long), { code: 'X', topic: long });
  const [line] = linesOf((log) => log.error({ err: error }, 'm'));
  expect(line).toMatchObject({ err: { type: 'Error', code: 'X' } });
});

test('a log made for one purpose has the same bounds, and the caller keeps its object', () => {
  const fields = { request_id: long };
  const [line] = linesOf((log) => log.child({}, { redact: [] }).info(fields, 'request'));
  expect(String(line?.['request_id']).length).toBeLessThan(300);
  expect(fields.request_id).toBe(long);
});

test('what is short stays as it is', () => {
  const fields = { a: 'x'.repeat(256), n: 1, none: null, list: [1, 'two'], at: { b: true } };
  const [line] = linesOf((log) => log.info(fields, 'm'));
  expect(line).toMatchObject(fields);
});
