import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { usualTimeouts } from '../../gateway/index.js';
import { fileWorld } from '../support/shared.js';
import { createWorld, type TestOrganization } from '../support/world.js';

const world = fileWorld(() => createWorld({ timeouts: { ...usualTimeouts, headersMs: 120_000, unreadMs: 2000 } }));
let org: TestOrganization;

beforeAll(async () => {
  org = await world.organization();
  // A page of more than what the sockets of both sides buffer.
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, metadata, valid_from, created_at, updated_at)
    SELECT ${org.orgId}, 'K' || n, 'Pump', json_build_object('text', repeat('x', 900000)), now(), now(), now()
      FROM generate_series(1, 20) n`;
});

test('a connection ends whose client does not read its answer', async () => {
  const socket = connect({ port: world.port, host: '127.0.0.1' });
  let isReset = false;
  socket.on('error', () => (isReset = true));
  socket.pause();
  socket.write(`GET /api/v1/assets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${org.token}\r\n\r\n`);
  // The beginning of a further request, byte by byte, and none for longer than an answer may be left unread. A connection that
  // the service has ended resets it.
  let sent = 0;
  await expect
    .poll(
      () => {
        socket.write('GET /api/v1/assets HTTP/1.1'.charAt(sent));
        sent += 1;
        return isReset;
      },
      { interval: 2500 },
    )
    .toBe(true);
  socket.destroy();
});

test('a connection that waits for its answer does not', async () => {
  const answer = await org.get('/api/v1/assets?limit=20');
  expect(answer.body.data).toHaveLength(20);
});

test('a client has 30 seconds to read something', () => {
  expect(usualTimeouts.unreadMs).toBe(30_000);
});
