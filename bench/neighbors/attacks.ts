import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { generate } from 'mqtt-packet';
import { createMessages } from '../ingest/messages.js';
import { connectPublisher, type ReaderAccount } from '../ingest/publisher.js';

export const attackNames = [
  'batches of anonymous calls on /trpc',
  'creates that wait for the key series',
  'searches for one letter',
  'descendants of a chain of locations',
  'QoS 2 messages that are never released',
  'wrong passwords',
  'reads of unknown tags',
  'reads at QoS 0 without a pause',
  'bodies that never arrive',
  'bursts of large bodies that are rejected',
  'live views that nobody reads',
] as const;

export type AttackName = (typeof attackNames)[number];

export type AttackOrder = {
  readonly name: AttackName;
  readonly ms: number;
  readonly port: number;
  readonly mqttPort: number;
  readonly token: string;
  /** Of a signed-in person. */
  readonly sessionToken: string;
  /** Tags of the organization's assets. */
  readonly tags: readonly string[];
  readonly account: ReaderAccount;
  /** The root of a deep chain of locations. */
  readonly chainId: number;
};

const callsPerBatch = 20;
const stalledConnections = 600;
/** Connections of a burst, how many of them have no credential, and the time from one burst to the next. */
const burstConnections = 400;
const burstAnonymous = 100;
const burstEveryMs = 2000;
const burstBodyBytes = 1_048_577;
const liveViews = 20;
const liveReadsPerSecond = 500;

/**
 * A separate address, as connections are limited by address. On Linux every address of 127.0.0.0/8 belongs to the
 * machine.
 */
const otherAddress = '127.0.0.2';

/**
 * Repeats, for the ordered time, one action that once slowed down other organizations. Retries what the service
 * rejects.
 */
export async function attack(order: AttackOrder): Promise<{ tries: number }> {
  const untilMs = performance.now() + order.ms;
  const base = `http://127.0.0.1:${order.port}`;
  const headers = { Authorization: `Bearer ${order.token}`, 'Content-Type': 'application/json' };
  let tries = 0;

  /** Sends requests over a number of connections. Each connection sends its next request when it has its answer. */
  async function ask(connections: number, send: () => Promise<Response>): Promise<void> {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < untilMs) {
          tries += 1;
          await send().then(
            (answer) => answer.arrayBuffer(),
            () => delay(10),
          );
        }
      }),
    );
  }

  const attacks: Record<AttackName, () => Promise<void>> = {
    'batches of anonymous calls on /trpc': () =>
      ask(8, () => fetch(`${base}/trpc/${Array(callsPerBatch).fill('session.me').join(',')}?batch=1`)),
    'creates that wait for the key series': () =>
      ask(16, () => fetch(`${base}/api/v1/assets`, { method: 'POST', headers, body: '{"name":"Pump"}' })),
    'searches for one letter': () => ask(24, () => fetch(`${base}/api/v1/assets?q=e`, { headers })),
    'descendants of a chain of locations': () =>
      ask(8, () => fetch(`${base}/api/v1/locations/${order.chainId}/descendants`, { headers })),
    'QoS 2 messages that are never released': () => publish(order, 2, untilMs),
    'wrong passwords': () =>
      ask(8, () =>
        fetch(`${base}/trpc/session.signIn`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: `${Math.random()}@example.com`, password: 'wrong password' }),
        }),
      ),
    'reads of unknown tags': () => publish(order, 1, untilMs),
    'reads at QoS 0 without a pause': () => publish(order, 0, untilMs),
    'bodies that never arrive': () => stall(order.port, untilMs),
    'bursts of large bodies that are rejected': () => sendBursts(order, untilMs),
    'live views that nobody reads': () => neglectLiveViews(order, untilMs),
  };
  await attacks[order.name]();
  return { tries };
}

/** Publishes reads of unknown tags, as fast as the socket accepts them; reconnects when it is disconnected. */
async function publish({ mqttPort, account }: AttackOrder, qos: 0 | 1 | 2, untilMs: number): Promise<void> {
  const { username, password } = account;
  let messageId = 0;
  const message = () => {
    messageId = (messageId % 65_535) + 1;
    const value = Math.floor(Math.random() * 2 ** 48).toString(16);
    const payload = JSON.stringify({ reads: [{ value: `E280${value.toUpperCase()}`, antenna: 1 }] });
    return generate({
      cmd: 'publish',
      topic: `readers/${username}/reads/${'x'.repeat(200)}`,
      payload,
      qos,
      messageId,
      dup: false,
      retain: false,
    });
  };
  while (performance.now() < untilMs) {
    const socket = connect({ port: mqttPort, host: '127.0.0.1' });
    let isOpen = true;
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      isOpen = false;
    });
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'attack',
        keepalive: 0,
        username,
        password: Buffer.from(password),
      }),
    );
    while (isOpen && performance.now() < untilMs) {
      if (socket.writableLength < 65_536) for (let count = 0; count < 50; count += 1) socket.write(message());
      await delay(1);
    }
    socket.destroy();
  }
}

/** Announces bodies over many connections, and never sends them. */
async function stall(port: number, untilMs: number): Promise<void> {
  const sockets = Array.from({ length: stalledConnections }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: otherAddress });
    socket.on('error', () => {});
    socket.write('POST /trpc/session.signIn HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 1000000\r\n\r\n{');
    return socket;
  });
  await delay(Math.max(0, untilMs - performance.now()));
  for (const socket of sockets) socket.destroy();
}

/** Sends bodies that are too large, and bodies without a credential, over many connections at once. */
async function sendBursts({ port, token }: AttackOrder, untilMs: number): Promise<void> {
  const body = Buffer.alloc(burstBodyBytes, 'a');
  while (performance.now() < untilMs) {
    const endsAtMs = performance.now() + burstEveryMs;
    await Promise.all(
      Array.from({ length: burstConnections }, async (_, no) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: otherAddress });
        socket.on('error', () => {});
        socket.resume();
        socket.write('POST /api/v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
        if (no >= burstAnonymous) socket.write(`Authorization: Bearer ${token}\r\n`);
        socket.write(`Content-Length: ${body.length}\r\n\r\n`);
        socket.write(body);
        await new Promise((resolve) => socket.once('close', resolve));
      }),
    );
    await delay(Math.max(0, endsAtMs - performance.now()));
  }
}

/** Opens live views without reading what they send, while the assets of the organization are read. */
async function neglectLiveViews(order: AttackOrder, untilMs: number): Promise<void> {
  const { port, mqttPort, account, sessionToken, tags } = order;
  const sockets = Array.from({ length: liveViews }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: otherAddress });
    socket.on('error', () => {});
    socket.pause();
    socket.write('GET /trpc/scans.live HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n');
    socket.write(`Authorization: Bearer ${sessionToken}\r\n\r\n`);
    return socket;
  });
  const readsPerMessage = 10;
  const messages = createMessages(tags, readsPerMessage);
  const publisher = await connectPublisher({
    port: mqttPort,
    account,
    qos: 1,
    window: 1000,
    onAck: () => {},
    onCapacity: () => {},
    onFailure: () => {},
  });
  while (performance.now() < untilMs) {
    if (publisher.hasCapacity()) publisher.send(messages.next(Date.now()), performance.now());
    await delay((1000 * readsPerMessage) / liveReadsPerSecond);
  }
  await publisher.settled();
  publisher.close();
  for (const socket of sockets) socket.destroy();
}
