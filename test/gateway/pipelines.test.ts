import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPipelines } from '../../gateway/pipelines.js';
import { createListener } from '../support/http-listener.js';

/** Node reads this much of a connection at once. */
const pieceBytes = 65_536;
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('a connection is not read while requests on it wait, and all of them are answered in order', async () => {
  const pipelines = createPipelines();
  const started: ServerResponse[] = [];
  await using listener = await createListener((request, response) =>
    pipelines.handle(request, response, () => {
      started.push(response);
      if (started.length > 1) response.end(String(started.length));
    }),
  );
  const accepted = once(listener.server, 'connection');
  const client = connect({ port: listener.port, host: '127.0.0.1' }).setEncoding('latin1');
  const [socket] = (await accepted) as [Socket];
  const count = Math.ceil((5 * pieceBytes) / get.length);
  client.write(get.repeat(count));
  await expect.poll(() => pipelines.isHeldBack(socket)).toBe(true);
  await delay(300);
  expect(socket.bytesRead).toBeLessThanOrEqual(2 * pieceBytes);
  expect(started).toHaveLength(1);
  started[0]?.end('1');
  let text = '';
  client.on('data', (chunk: string) => {
    text += chunk;
  });
  const bodies = () => [...text.matchAll(/\r\n\r\n(\d+)/g)].map(([, body]) => Number(body));
  await expect.poll(() => bodies().length, { timeout: 30_000 }).toBe(count);
  expect(bodies()).toEqual(Array.from({ length: count }, (_none, index) => index + 1));
  expect(pipelines.isHeldBack(socket)).toBe(false);
  client.destroy();
});
