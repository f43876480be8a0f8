import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { usualTimeouts } from '../../gateway/index.js';
import { fileWorld } from '../support/shared.js';
import { createWorld } from '../support/world.js';

const world = fileWorld(() => createWorld({ timeouts: { ...usualTimeouts, idleMs: 100 } }));

test('a connection that its client leaves open after an answer is closed', async () => {
  const socket = connect({ port: world.port, host: '127.0.0.1' });
  socket.resume();
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await once(socket, 'end')).toEqual([]);
  socket.destroy();
});

test('idle connections are kept for longer than proxies keep them', () => {
  expect(usualTimeouts.idleMs).toBeGreaterThan(120_000);
});
