import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { usualTimeouts } from '../../gateway/index.js';
import { sendRaw } from '../support/raw-http.js';
import { fileWorld } from '../support/shared.js';
import { createWorld } from '../support/world.js';

const headersMs = 2000;
/** Node adds a second to this. */
const idleMs = 1500;

const world = fileWorld(() => createWorld({ timeouts: { ...usualTimeouts, headersMs, idleMs, checkEveryMs: 20 } }));

const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

async function open(): Promise<Socket> {
  const socket = connect({ port: world.port, host: '127.0.0.1' }).setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

async function answerOn(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [string];
  return answer.slice(0, 'HTTP/1.1 200'.length);
}

test('a connection without a request is closed without an answer, which its next request would get', async () => {
  expect(await sendRaw(world.port, [])).toMatchObject({ text: '', error: undefined });
});

test('a request that is there when the time of its connection is up is served', async () => {
  const unused = await open();
  const begun = await open();
  begun.write(request.slice(0, 10));
  const used = await open();
  used.write(request);
  // By then the service has accepted the connections that were opened before.
  expect(await answerOn(used)).toBe('HTTP/1.1 200');
  for (const socket of [unused, used]) socket.write(request);
  begun.write(request.slice(10));
  // The bytes have left this process, which is the service's too, and its timers have run out before it reads them.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(headersMs, idleMs + 1000) + 200);
  expect(await Promise.all([unused, begun, used].map(answerOn))).toEqual(Array(3).fill('HTTP/1.1 200'));
  for (const socket of [unused, begun, used]) socket.destroy();
});
