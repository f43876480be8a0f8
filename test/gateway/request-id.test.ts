import { expect, test } from 'vitest';
import { createRequestIds } from '../../gateway/request-id.js';
import { createListener } from '../support/http-listener.js';
import { sendRaw } from '../support/raw-http.js';

const nowMs = 1_700_000_000_000;
const newId = /^01HF7YAT00[0-9A-HJKMNP-TV-Z]{16}$/;

async function createEcho() {
  const requestIdOf = createRequestIds({ nowMs: () => nowMs });
  return createListener((request, response) => {
    response.setHeader('X-Request-ID', requestIdOf(request));
    response.end(Buffer.from('body'));
  });
}

function ask(port: number, ...headers: string[]) {
  return sendRaw(port, [['GET / HTTP/1.1', 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n')]);
}

test.each([
  'abc',
  '01HF7YAT00AAAAAAAAAAAAAAAA',
  'a b;c="d"\te',
  '<script>',
  'é'.repeat(10),
  '\x80\xa0\xff',
  'x'.repeat(8000),
])('an inbound id comes back byte for byte', async (id) => {
  await using echo = await createEcho();
  expect((await ask(echo.port, `X-Request-ID: ${id}`)).text).toContain(`X-Request-ID: ${id}\r\n`);
});

test('repeated ones come back as one', async () => {
  await using echo = await createEcho();
  const answer = await ask(echo.port, 'X-Request-ID: a', 'x-request-id: b');
  expect(answer.headers.get('x-request-id')).toBe('a, b');
});

test('none, or an empty one, is replaced by a new ULID each time', async () => {
  await using echo = await createEcho();
  const ids = new Set<string>();
  for (const headers of [[], [], ['X-Request-ID:'], ['X-Request-ID:   ']]) {
    const id = (await ask(echo.port, ...headers)).headers.get('x-request-id') ?? '';
    expect(id).toMatch(newId);
    ids.add(id);
  }
  expect(ids.size).toBe(4);
});

test('ten thousand new ids differ and use the whole alphabet', () => {
  const requestIdOf = createRequestIds({ nowMs: () => nowMs });
  const request = { headers: {} } as Parameters<typeof requestIdOf>[0];
  const ids = Array.from({ length: 10_000 }, () => requestIdOf(request));
  expect(new Set(ids).size).toBe(10_000);
  for (let at = 10; at < 26; at += 1) expect(new Set(ids.map((id) => id[at])).size).toBe(32);
});
