import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeadlineError } from '../../server/kernel/deadline.js';
import { createTxtResolver } from '../../server/people/email-domains/txt-records.js';
import { createLog } from '../../server/kernel/log.js';
import { createMailer } from '../../server/people/mail/mailer.js';
import { createProvider } from '../../server/people/sign-on/provider.js';
import { useFakeTimers } from '../support/shared.js';

// Deadlines come when the test says so; sockets work as usual.
beforeEach(() => useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A server that greets each connection. Once something arrives, it goes on with a part of an answer for ever. */
async function createPeer({ greeting = '', answer, part }: { greeting?: string; answer?: string; part: string }) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => {
      if (answer !== undefined) socket.write(answer);
      const timer = setInterval(() => socket.write(part), 100);
      socket.on('close', () => clearInterval(timer));
      server.emit('asked');
    });
    socket.write(greeting);
  });
  const asked = once(server, 'asked');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    ...(server.address() as AddressInfo),
    asked,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const fault = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test('a mail server that never ends its answer is given up after 30 seconds, with its connection', async () => {
  await using peer = await createPeer({ greeting: '220 mail ESMTP\r\n', part: '250-mail\r\n' });
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${peer.port}`, from: 'alerts@example.com' });
  const outcome = fault(mailer.send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: 'Hello' }));
  await peer.asked;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(peer.connections()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await outcome).toBeInstanceOf(DeadlineError);
  await expect.poll(peer.connections).toBe(0);
  mailer.close();
});

test('an identity provider that never ends its answer is given up after 20 seconds, with its connection', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';
  await using peer = await createPeer({ answer, part: ' ' });
  const provider = createProvider({
    settings: {
      issuer: `http://127.0.0.1:${peer.port}`,
      name: 'Provider',
      clientId: 'whereabouts',
      clientSecret: undefined,
      clientAuthentication: 'client_secret_basic',
      trustsEmail: false,
    },
    baseUrl: 'https://whereabouts.example.com',
    log: createLog('silent'),
  });
  const outcome = fault(provider.begin());
  await peer.asked;
  await vi.advanceTimersByTimeAsync(19_000);
  expect(peer.connections()).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await outcome).toMatchObject({ type: 'service_unavailable', cause: expect.any(DeadlineError) });
  await expect.poll(peer.connections).toBe(0);
});

test('name servers that never answer are given up after ten seconds', async () => {
  const server = createSocket('udp4');
  await once(server.bind(0, '127.0.0.1'), 'listening');
  try {
    const outcome = fault(createTxtResolver([`127.0.0.1:${server.address().port}`])('example.com'));
    await once(server, 'message');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await outcome).toMatchObject({ type: 'service_unavailable', cause: expect.any(DeadlineError) });
  } finally {
    server.close();
  }
});
