import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { createWebhookSender } from '../../server/notifying/webhooks/send.js';
import type { Input } from './input.js';

const timeoutMs = 1000;

const inputs: readonly Input[] = [
  { head: 'HTTP/1.1 200 OK\r\nContent-Length: 262000\r\n\r\n', unit: '\u00C3\u00A9\0x', tail: '' },
  { head: 'HTTP/1.1 503 Busy\r\nRetry-After: 1\r\n', unit: 'X-A: b\r\n', tail: '\r\n' },
  { head: '', unit: 'HTTP/1.1 100 Continue\r\n\r\n', tail: 'HTTP/1.1 200 OK\r\n\r\n' },
  { head: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', unit: '1\r\nx\r\n', tail: '0\r\n\r\n' },
];

/** Starts a server that answers with given bytes, and returns a function that has a webhook sent to it. */
export async function createAnswers() {
  let answer: Buffer = Buffer.alloc(0);
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const sender = createWebhookSender({ allowsPrivate: true, timeoutMs });
  return {
    inputs,
    async send(bytes: Buffer): Promise<unknown> {
      answer = bytes;
      return sender.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
    },
    async stop(): Promise<void> {
      sender.close();
      server.close();
      await once(server, 'close');
    },
  };
}
