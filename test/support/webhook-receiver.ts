import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type ReceivedWebhook = {
  id: string;
  headers: Record<string, string>;
  body: { type: string; timestamp: string; data: Record<string, any>; rules?: { id: number; name: string }[] };
  text: string;
};

/** How the receiver answers a request: a status with headers, or `hang` for no answer at all. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** A receiver of webhooks over real HTTP, which verifies each request with the library of the specification. */
export type WebhookReceiver = AsyncDisposable & {
  readonly url: string;
  /** What was received and verified, in the order of arrival. */
  readonly received: ReceivedWebhook[];
  /** Requests whose signature was wrong. */
  readonly refused: string[];
  /** Set once the endpoint is created. */
  secret: string;
  answer: (webhook: ReceivedWebhook, count: number) => ReceiverAnswer | Promise<ReceiverAnswer>;
  /** Resolves once this many requests have arrived. */
  waitFor(count: number): Promise<void>;
};

export async function createReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const refused: string[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = http.createServer((request, response) => {
    void readText(request).then((text) => {
      const headers = request.headers as Record<string, string>;
      try {
        new Webhook(receiver.secret).verify(text, headers);
      } catch (error) {
        refused.push(String(error));
        response.writeHead(401).end();
        return;
      }
      const webhook = { id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) };
      received.push(webhook);
      void Promise.resolve(receiver.answer(webhook, received.length)).then((answer) => {
        if (answer !== 'hang') response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '');
      });
      waiting = waiting.filter(({ count, resolve }) => {
        if (received.length < count) return true;
        resolve();
        return false;
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    refused,
    secret: '',
    answer: () => ({ status: 204 }),
    waitFor: (count) =>
      received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push({ count, resolve });
          }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

async function readText(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
