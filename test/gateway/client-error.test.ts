import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type ClientFault, createClientErrorListener } from '../../gateway/client-error.js';
import { readBody } from '../../gateway/http-body.js';
import { createListener } from '../support/http-listener.js';
import { sendRaw } from '../support/raw-http.js';

async function createWorld() {
  const faults: ClientFault[] = [];
  const listener = await createListener(async (request, response) => {
    if (request.url === '/unfinished') {
      response.write(Buffer.from('begun'));
      return;
    }
    try {
      await readBody(request, { bytesMax: 1000 });
    } catch {
      response.statusCode = 500;
    }
    response.end(Buffer.from('handled'));
  });
  const onClientError = createClientErrorListener({
    isEnding: () => false,
    isHeldBack: () => false,
    async answer(fault) {
      faults.push(fault);
      return {
        statusLine: '400 Bad Request',
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.from('{"fault":1}'),
      };
    },
  });
  listener.server.on('clientError', onClientError);
  return { ...listener, faults };
}

test.each([
  [
    'a header flood',
    ['GET /api/v1/assets?q=secret HTTP/1.1\r\nX: ', 'a'.repeat(20_000)],
    'Request headers are too large',
  ],
  [
    'an endless header flood',
    ['GET /a HTTP/1.1\r\n', ...Array.from({ length: 100 }, () => `X: ${'a'.repeat(50_000)}\r\n`)],
    'Request headers are too large',
  ],
  ['an unknown method', ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n'], 'Request is not valid HTTP'],
  [
    'two lengths',
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    'Request is not valid HTTP',
  ],
  [
    'a length and chunks',
    ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    'Request is not valid HTTP',
  ],
  [
    'a malformed chunk',
    ['POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', 'zz\r\n'],
    'Request is not valid HTTP',
  ],
  ['a NUL in a header', ['GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'], 'Request is not valid HTTP'],
  ['TLS on a plain port', ['\x16\x03\x01\x02\x00\x01'], 'Request is not valid HTTP'],
])('%s is answered in full, then the connection ends', async (_what, parts, detail) => {
  await using world = await createWorld();
  const answer = await sendRaw(world.port, parts);
  expect(answer).toMatchObject({ status: 400, body: '{"fault":1}', error: undefined });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('connection')).toBe('close');
  expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(world.faults).toMatchObject([{ detail, address: '127.0.0.1' }]);
});

test('the path is reported without its query', async () => {
  await using world = await createWorld();
  await sendRaw(world.port, [`GET /api/v1/assets?q=secret HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`]);
  await sendRaw(world.port, ['\x16\x03\x01\x02\x00\x01']);
  expect(world.faults.map((fault) => fault.path)).toStrictEqual(['/api/v1/assets', '/']);
});

test('an answer that has begun is cut short instead of written into', async () => {
  await using world = await createWorld();
  const answer = await sendRaw(world.port, ['GET /unfinished HTTP/1.1\r\nHost: x\r\n\r\n', 'FOO\r\n\r\n']);
  expect(answer.text.match(/HTTP\/1\.1/g) ?? []).toHaveLength(answer.text === '' ? 0 : 1);
  expect(world.faults).toStrictEqual([]);
});

test.each([1, 2])('%i requests are answered before the error after them', async (count) => {
  await using world = await createWorld();
  const { text } = await sendRaw(world.port, ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count) + 'FOO\r\n\r\n']);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array.from({ length: count }, () => '200'), '400']);
});

test('a client that keeps its side open is cut off', async () => {
  await using world = await createWorld();
  const accepted = once(world.server, 'connection');
  const client = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
  const [socket] = (await accepted) as [Socket];
  client.resume().write('FOO\r\n\r\n');
  await once(client, 'end');
  await once(socket, 'close');
  expect(world.faults).toHaveLength(1);
  client.destroy();
});
