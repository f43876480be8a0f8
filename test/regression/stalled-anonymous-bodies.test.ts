import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { anonymousBounds, createBodyMemories, readBody } from '../../gateway/http-body.js';
import { createListener } from '../support/http-listener.js';
import { sendRaw } from '../support/raw-http.js';
import { createWorld } from '../support/world.js';
import { fileWorld, useFakeTimers } from '../support/shared.js';

const world = fileWorld(() => createWorld({ settings: { httpConnectionsPerAddress: 3 } }));

const json = 'Content-Type: application/json';

function post(path: string, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
}

describe('a body without a credential', () => {
  test('is at most 16 KiB on /trpc', async () => {
    const email = 'a'.repeat(17 * 1024);
    const answer = await world.anonymous.post('/trpc/session.signIn', { email, password: 'p' });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('Request body must be at most 16384 bytes');
    const small = await world.anonymous.post('/trpc/session.signIn', { email: 'a@example.com', password: 'p' });
    expect(small.status).toBe(401);
  });

  test('is rejected by its declared length before any of it arrives', async () => {
    const answer = await sendRaw(world.port, [post('/trpc/session.signIn', json, 'Content-Length: 16385')]);
    expect([answer.status, answer.headers.get('connection')]).toStrictEqual([413, 'close']);
  });

  test('is not awaited on the public API: the answer comes at once, and the connection ends', async () => {
    const answer = await sendRaw(world.port, [post('/api/v1/assets', json, 'Content-Length: 1000'), 'begun']);
    expect([answer.status, answer.headers.get('connection')]).toStrictEqual([401, 'close']);
    expect(answer.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('has 30 seconds to arrive', async () => {
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let outcome: Promise<unknown> = Promise.resolve();
      await using listener = await createListener((request, response) => {
        outcome = readBody(request, anonymousBounds(1_048_576)).catch((error: unknown) => error);
        void outcome.then(() => response.end());
      });
      const arrived = once(listener.server, 'request');
      const client = connect({ port: listener.port, host: '127.0.0.1' });
      client.write(post('/', 'Content-Length: 10'));
      await arrived;
      vi.advanceTimersByTime(29_999);
      const first = await Promise.race([outcome, Promise.resolve('waiting')]);
      expect(first).toBe('waiting');
      vi.advanceTimersByTime(1);
      expect(await outcome).toMatchObject({ type: 'bad_request', message: 'Request took too long to arrive' });
      client.destroy();
    } finally {
      vi.useRealTimers();
    }
  });
});

test('the bodies of one organization in memory are limited, and others are not affected', async () => {
  const memoryOf = createBodyMemories(32_000);
  let arrivedBytes = 0;
  const outcomes: Promise<unknown>[] = [];
  let orgId = 1;
  await using listener = await createListener((request, response) => {
    request.on('data', (chunk: Buffer) => {
      arrivedBytes += chunk.length;
    });
    const outcome = readBody(request, { bytesMax: 1000, memory: memoryOf(orgId) }).catch((error: unknown) => error);
    outcomes.push(outcome);
    void outcome.then((body) => response.end(Buffer.isBuffer(body) ? 'ok' : 'full'));
  });
  const stalled: Socket[] = [];
  for (let count = 0; count < 32; count += 1) {
    const client = connect({ port: listener.port, host: '127.0.0.1' });
    client.write(`${post('/', 'Content-Length: 1000')}${'a'.repeat(999)}`);
    stalled.push(client);
  }
  await expect.poll(() => arrivedBytes).toBe(32 * 999);
  const more = [post('/', 'Content-Length: 900', 'Connection: close'), 'a'.repeat(900)];
  expect((await sendRaw(listener.port, more)).body).toBe('full');
  expect(await outcomes.at(-1)).toMatchObject({ type: 'rate_limited' });
  orgId = 2;
  expect((await sendRaw(listener.port, more)).body).toBe('ok');
  // A request that ends returns its share.
  orgId = 1;
  stalled[0]?.write('a');
  await outcomes[0];
  expect((await sendRaw(listener.port, more)).body).toBe('ok');
  for (const client of stalled) client.destroy();
});

test('the connections of an address are limited, and more are closed until one of them ends', async () => {
  const open = async () => {
    const client = connect({ port: world.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    await once(client, 'connect');
    return client;
  };
  const asks = async (client: Socket) => {
    let text = '';
    client.setEncoding('latin1').on('data', (part) => {
      text += String(part);
    });
    client.on('error', () => {});
    client.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    if (!client.destroyed) await once(client, 'close');
    return text.slice(0, 12);
  };
  const held = [await open(), await open(), await open()] as const;
  expect(await asks(await open())).toBe('');
  expect(await asks(held[0])).toBe('HTTP/1.1 200');
  // The client has seen the end of its connection, the service may not have.
  await expect.poll(async () => asks(await open())).toBe('HTTP/1.1 200');
  held[1].destroy();
  held[2].destroy();
});
