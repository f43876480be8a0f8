import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { generate } from 'mqtt-packet';
import { hostileMessages } from '../../test/ingest-broker/mappings/hostile.js';
import { createMessages } from '../ingest/messages.js';
import { connectPublisher, type ReaderAccount } from '../ingest/publisher.js';
import { malformedJson, pngOfManyPixels, pngOfTexts } from './inputs.js';

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
  'mappings that take long',
  'malformed JSON in requests',
  'malformed JSON in messages',
  'images with compressed texts or many pixels',
  'exports of large details',
  'lists of large details',
  'pipelined requests',
  'pipelined lists',
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
  /** Readers with the mappings of `hostileMessages`, in the same order, several times. */
  readonly mappedAccounts: readonly ReaderAccount[];
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
const pipelines = 5;
const requestsPerPipeline = 400;
const exportConnections = 40;

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
    'mappings that take long': () => publishHostile(order, untilMs),
    'malformed JSON in requests': () => {
      const bodies = malformedJson();
      return ask(8, () =>
        fetch(`${base}/api/v1/assets`, { method: 'POST', headers, body: bodies[tries % bodies.length] ?? '' }),
      );
    },
    'malformed JSON in messages': () => publishMalformed(order, untilMs),
    'images with compressed texts or many pixels': async () => {
      const images = (await Promise.all([pngOfTexts(), pngOfManyPixels()])).map((bytes) => new Uint8Array(bytes));
      await ask(8, () =>
        fetch(`${base}/files/images?kind=photo`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${order.sessionToken}`, 'Content-Type': 'image/png' },
          body: images[tries % images.length] ?? '',
        }),
      );
    },
    'exports of large details': () => {
      const input = JSON.stringify(
        Object.fromEntries(Array.from({ length: callsPerBatch }, (_, no) => [no, { limit: 1000 }])),
      );
      const path = `/trpc/${Array(callsPerBatch).fill('assets.exportPage').join(',')}?batch=1&input=${encodeURIComponent(input)}`;
      return ask(exportConnections, () =>
        fetch(`${base}${path}`, { headers: { Authorization: `Bearer ${order.sessionToken}` } }),
      );
    },
    'lists of large details': () => ask(exportConnections, () => fetch(`${base}/api/v1/assets?limit=200`, { headers })),
    'pipelined requests': () => pipeline(order, '/api/v1/assets/1', untilMs),
    'pipelined lists': () => pipeline(order, '/api/v1/assets?limit=50', untilMs),
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

/** Publishes one message of each mapping after the other. Mappings pause for a minute when one has taken too long. */
async function publishHostile({ mqttPort, mappedAccounts }: AttackOrder, untilMs: number): Promise<void> {
  for (const [no, account] of mappedAccounts.entries()) {
    if (performance.now() >= untilMs) return;
    const [, , payload] = hostileMessages[no % hostileMessages.length] ?? ['', undefined, ''];
    const publisher = await connectPublisher({
      port: mqttPort,
      account,
      qos: 1,
      window: 1,
      onAck: () => {},
      onCapacity: () => {},
      onFailure: () => {},
    });
    publisher.send(Buffer.from(payload), performance.now());
    await publisher.settled();
    publisher.close();
  }
}

async function publishMalformed({ mqttPort, account }: AttackOrder, untilMs: number): Promise<void> {
  const payloads = malformedJson().map((text) => Buffer.from(text));
  const publisher = await connectPublisher({
    port: mqttPort,
    account,
    qos: 1,
    window: 4,
    onAck: () => {},
    onCapacity: () => {},
    onFailure: () => {},
  });
  for (let no = 0; performance.now() < untilMs; ) {
    if (publisher.hasCapacity()) {
      publisher.send(payloads[no % payloads.length] ?? Buffer.alloc(0), performance.now());
      no += 1;
    } else await delay(1);
  }
  await publisher.settled();
  publisher.close();
}

/** Sends many requests at once over each of a few connections, and again when all are answered. */
async function pipeline({ port, sessionToken }: AttackOrder, target: string, untilMs: number): Promise<void> {
  const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${sessionToken}\r\n\r\n`;
  const sockets = Array.from({ length: pipelines }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: otherAddress });
    let answers = 0;
    let rest = '';
    const send = () => {
      answers = 0;
      socket.write(request.repeat(requestsPerPipeline));
    };
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1');
      answers += text.split('HTTP/1.1 ').length - 1;
      rest = text.slice(-8);
      if (answers >= requestsPerPipeline && performance.now() < untilMs) send();
    });
    send();
    return socket;
  });
  await delay(Math.max(0, untilMs - performance.now()));
  for (const socket of sockets) socket.destroy();
}
