import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createHistogram, type Histogram } from '../ingest/histogram.js';
import { serveOrders } from '../worker.js';

/** The behaviors of receivers. `slow` answers 204 after five seconds; `closed` is a port without a listener. */
export const behaviors = ['healthy', 'hanging', 'failing', 'slow', 'gone', 'closed'] as const;

export type Behavior = (typeof behaviors)[number];

/** An order for the process with the receivers. */
export type ReceiversOrder =
  | { readonly what: 'open' }
  /** Forgets what healthy receivers have received so far. */
  | { readonly what: 'reset' }
  /** Waits until healthy receivers have received this many events, or for this long. */
  | { readonly what: 'report'; readonly count: number; readonly timeoutMs: number };

export type ReceiversReport = {
  readonly ports: Readonly<Record<Behavior, number>>;
  /** Distinct events at healthy receivers, and the requests that delivered them. */
  readonly events: number;
  readonly requests: number;
  /** From `occurred_at` to the arrival of the first request, in milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Epoch milliseconds. */
  readonly lastAtMs: number;
};

const slowMs = 5000;

type Got = { ids: Set<string>; requests: number; latencies: Histogram; lastAtMs: number };

/** Runs the process with all receivers, so that their processor time is measured separately. */
export function serveReceivers(): void {
  let got = nothing();
  let ports: Promise<Record<Behavior, number>> | undefined;
  const take = (id: string, body: string) => {
    const { data } = JSON.parse(body) as { data: { occurred_at: string } };
    got.requests += 1;
    if (got.ids.has(id)) return;
    got.ids.add(id);
    got.lastAtMs = Date.now();
    got.latencies.add(Math.max(0, got.lastAtMs - Date.parse(data.occurred_at)));
  };
  serveOrders(async (order: ReceiversOrder): Promise<ReceiversReport> => {
    ports ??= openReceivers(take);
    if (order.what === 'reset') got = nothing();
    if (order.what === 'report') {
      const untilMs = performance.now() + order.timeoutMs;
      while (got.ids.size < order.count && performance.now() < untilMs) await delay(20);
    }
    const of = (share: number) => got.latencies.percentile(share);
    return {
      ports: await ports,
      events: got.ids.size,
      requests: got.requests,
      p50Ms: of(0.5),
      p95Ms: of(0.95),
      p99Ms: of(0.99),
      maxMs: got.latencies.maxMs(),
      lastAtMs: got.lastAtMs,
    };
  });
}

function nothing(): Got {
  return { ids: new Set(), requests: 0, latencies: createHistogram(), lastAtMs: 0 };
}

async function openReceivers(take: (id: string, body: string) => void): Promise<Record<Behavior, number>> {
  const answers: Record<Exclude<Behavior, 'closed'>, (id: string, body: string) => Promise<number>> = {
    healthy: (id, body) => {
      take(id, body);
      return Promise.resolve(204);
    },
    hanging: () => new Promise(() => {}),
    failing: () => Promise.resolve(500),
    slow: () => delay(slowMs, 204),
    gone: () => Promise.resolve(410),
  };
  const ports: Partial<Record<Behavior, number>> = {};
  for (const [behavior, answer] of Object.entries(answers)) {
    ports[behavior as Behavior] = portOf(await listen(answer));
  }
  const closing = await listen(() => Promise.resolve(204));
  ports.closed = portOf(closing);
  await new Promise((resolve) => closing.close(resolve));
  return ports as Record<Behavior, number>;
}

function listen(answer: (id: string, body: string) => Promise<number>): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(String(request.headers['webhook-id']), Buffer.concat(chunks).toString()).then((status) => {
        response.writeHead(status).end();
      });
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port;
}
