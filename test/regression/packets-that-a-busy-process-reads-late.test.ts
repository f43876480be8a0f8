import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createKeepAlive as createPings } from '../../ingest-broker/external/keep-alive.js';
import { createKeepAlive } from '../../ingest-broker/keep-alive.js';

// Timers come before sockets, so that a process that was busy for the time of a keep-alive ended connections over which something
// had arrived meanwhile.

/** Both ends of a connection over TCP. */
async function openConnection(): Promise<AsyncDisposable & { near: Socket; far: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  if (far.connecting) await once(far, 'connect');
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      near.destroy();
      far.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function beBusy(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('a client that has sent something in time is not silent', async () => {
  await using connection = await openConnection();
  let isSilent = false;
  const keepAlive = createKeepAlive({ isListening: () => true, onSilence: () => (isSilent = true) });
  const arrived = once(connection.near, 'data');
  const seen = new Promise((resolve) => connection.near.once('data', () => resolve(isSilent)));
  keepAlive.start(0.1);
  connection.far.write('a packet');
  beBusy(200);
  await arrived;
  keepAlive.stop();
  expect(await seen).toBe(false);
});

test('a client that has sent nothing is silent, also if the process was busy', async () => {
  const silence = new Promise<void>((resolve) => {
    createKeepAlive({ isListening: () => true, onSilence: resolve }).start(0.01);
  });
  beBusy(50);
  await expect(silence).resolves.toBeUndefined();
});

test('an external broker that has answered a ping in time is not silent', async () => {
  await using connection = await openConnection();
  let isSilent = false;
  let pings = 0;
  const keepAlive = createPings({
    everyMs: 50,
    isPaused: () => false,
    onSilence: () => (isSilent = true),
    ping() {
      pings += 1;
      if (pings > 1) return;
      connection.far.write('an answer');
      beBusy(100);
    },
  });
  const seen = new Promise((resolve) =>
    connection.near.once('data', () => {
      keepAlive.received();
      resolve(isSilent);
    }),
  );
  expect(await seen).toBe(false);
  keepAlive.stop();
});

test('an external broker that does not answer is silent', async () => {
  const silence = new Promise<void>((resolve) => {
    const keepAlive = createPings({
      everyMs: 10,
      isPaused: () => false,
      ping() {},
      onSilence() {
        keepAlive.stop();
        resolve();
      },
    });
  });
  await expect(silence).resolves.toBeUndefined();
});
