import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createWebhookSender } from '../../../../server/notifying/webhooks/send.js';
import { freePort } from '../../../support/program.js';

/** Sends to a URL and returns why there was no answer. */
async function failureOf(url: string): Promise<string | null> {
  const sender = createWebhookSender({ allowsPrivate: true });
  const { error } = await sender.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
  sender.close();
  return error;
}

async function listen(onConnection: (socket: net.Socket) => void) {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a closed port is reported in plain text, also for a name with several addresses', async () => {
  const port = await freePort();
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await failureOf(`http://${host}:${port}/`), host).toBe('The receiver refused the connection');
  }
});

it('a connection that is closed without an answer is reported in plain text', async () => {
  await using server = await listen((socket) => socket.destroy());
  expect(await failureOf(`http://127.0.0.1:${server.port}/`)).toBe('The receiver closed the connection');
});

it('a receiver without TLS is reported in plain text', async () => {
  await using server = await listen((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    socket.on('error', () => {});
  });
  expect(await failureOf(`https://127.0.0.1:${server.port}/`)).toBe('The receiver does not speak TLS as expected');
});

it('a host name that cannot be found is reported in plain text', async () => {
  expect(await failureOf('http://nobody.invalid/')).toMatch(/^The host name (?:does not exist|cannot be looked up)$/);
});
