import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type AlertingWorld, createAlertingWorld } from '../support/alerting-world.js';
import { createAsset } from '../support/factories.js';
import { pollOptions } from '../support/poll-options.js';

const created = { event_types: ['asset.created' as const] };

/** The time limit of an attempt is 15 s; a busy machine notices its end late. */
const endedMs = 20_000;

function flood(socket: Socket): void {
  const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
  socket.on('close', () => clearInterval(timer));
}

/** Writes a header that never ends. */
function trickle(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\nX-Wait: ');
  const timer = setInterval(() => socket.write('x'), 100);
  socket.on('close', () => clearInterval(timer));
}

const receivers = {
  '101': { answer: (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), status: 101 },
  '101 with an upgrade': {
    answer: (socket: Socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
    status: 101,
  },
  'a close before the answer': { answer: (socket: Socket) => socket.end(), status: null },
  silence: { answer: () => {}, status: null },
  'a flood of 1xx': { answer: flood, status: null },
  'headers without an end': { answer: trickle, status: null },
  '200 and silence': {
    answer: (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'),
    status: 200,
  },
  '500 and silence': {
    answer: (socket: Socket) => socket.write('HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbad\r\n'),
    status: 500,
  },
} as const;

/** Receivers that do with the connection of a request what the path of its address says. */
async function rawReceiver() {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (head) => {
      const [, name = ''] = /^POST \/(\S*)/.exec(head.toString()) ?? [];
      receivers[decodeURIComponent(name) as keyof typeof receivers].answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name: string) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}`,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Each endpoint with its only delivery, once the attempt is in the log. */
async function attemptAt({ admin }: AlertingWorld, endpointId: number) {
  const newest = async () => (await admin.webhooks.deliveries({ endpoint_id: endpointId })).data[0];
  await expect.poll(async () => (await newest())?.attempts, { ...pollOptions, timeout: 60_000 }).toBeGreaterThan(0);
  const delivery = await admin.webhooks.delivery({ id: (await newest())?.id ?? 0 });
  return { status: delivery.status, first: delivery.attempt_list[0] };
}

test('an attempt ends, and is logged, whatever the receiver does with the connection', async () => {
  await using world = await createAlertingWorld();
  const { org, admin, core } = world;
  await using receiver = await rawReceiver();
  const endpoints = new Map<string, number>();
  for (const name of Object.keys(receivers)) {
    const url = receiver.urlOf(name);
    endpoints.set(name, (await admin.webhooks.create({ name, url, ...created })).id);
  }
  await createAsset(org);
  for (const [name, { status }] of Object.entries(receivers)) {
    const attempt = await attemptAt(world, endpoints.get(name) ?? 0);
    expect(attempt, name).toMatchObject({
      status: status === 200 ? 'delivered' : 'pending',
      first: { status_code: status },
    });
    expect(attempt.first?.duration_ms, name).toBeLessThan(endedMs);
  }
  // Repetitions of what failed begin five seconds later, and end in their time too.
  for (const { id } of (await admin.webhooks.list()).data) await admin.webhooks.update({ id, is_enabled: false });
  await expect.poll(() => core.jobStats().deliveries.underWay, { ...pollOptions, timeout: 60_000 }).toBe(0);
  await expect.poll(receiver.connections, pollOptions).toBe(0);
  await core.stop();
}, 120_000);
