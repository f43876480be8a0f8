import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendPieces } from '../../gateway/rest/send-pieces.js';
import { createListener } from '../support/http-listener.js';
import { createWorld } from '../support/world.js';

function request(port: number, ...headers: string[]): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(['GET /api/v1/assets HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'));
  return socket;
}

test('an answer that is broken off ends its connection, also if the request had a body that arrived late', async () => {
  await using world = await createWorld();
  const org = await world.organization();
  // More than what the sockets of both sides buffer.
  const metadata = { text: 'x'.repeat(900_000) };
  for (let no = 0; no < 20; no += 1) await org.post('/api/v1/assets', { name: `Asset ${no}`, metadata });
  const socket = request(world.port, `Authorization: Bearer ${org.token}`, 'Content-Length: 2');
  await once(socket, 'data');
  socket.pause();
  socket.write('{}');
  await world.db.$executeRaw`ALTER TABLE assets RENAME COLUMN metadata TO away`;
  socket.resume();
  // With the body unread, the end of the connection can be a reset.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.destroyed).toBe(true);
});

test('an answer whose client disconnects while the next rows are read comes to its end', async () => {
  const row = 'x'.repeat(100_000);
  let ended: Promise<void> | undefined;
  await using listener = await createListener((_request, response) => {
    const read = async function* () {
      yield [row];
      await once(response, 'close');
      yield [row];
    };
    ended = sendPieces(response, { data: [] }, { pieces: { read, bytes: 0 }, isHead: false, hold() {} });
  });
  const socket = request(listener.port);
  await once(socket, 'data');
  socket.destroy();
  expect(await Promise.race([ended, delay(2000, 'late', { ref: false })])).toBeUndefined();
});
