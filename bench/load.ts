import { connect, type Socket } from 'node:net';
import { serveOrders } from './worker.js';

/** An order for the load process. Without a rate, each connection sends its next request when it has its answer. */
export type LoadOrder = {
  readonly port: number;
  readonly connections: number;
  /**
   * Complete HTTP requests; a random one of them is sent each time. `%n%` in a request becomes a unique number of 12
   * digits.
   */
  readonly requests: readonly string[];
  /**
   * Requests are due at this rate, whether or not earlier ones are answered; the wait for a free connection counts
   * then.
   */
  readonly requestsPerSecond?: number;
  /** The loop ends after a time, or after a number of requests. */
  readonly until: { readonly ms: number } | { readonly requests: number };
};

export type LoadReport = {
  readonly answers: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The bytes of all bodies together. */
  readonly bodyBytes: number;
};

const endOfHead = '\r\n\r\n';
const numberPlaceholder = '%n%';

/** Runs the process that sends requests. */
export function serveLoad(): void {
  const nextNumber = createNumbers();
  serveOrders((order: LoadOrder) => run(order, nextNumber));
}

/** Returns numbers of twelve digits, starting where an earlier process on the same database has hardly been. */
function createNumbers(): () => string {
  let last = (Math.floor(Date.now() / 1000) % 1_000_000) * 1_000_000;
  return () => {
    last += 1;
    return String(last).padStart(12, '0');
  };
}

async function run(order: LoadOrder, nextNumber: () => string): Promise<LoadReport> {
  const nextRequest = createRequests(order.requests, nextNumber);
  const startedAt = performance.now();
  const { until } = order;
  let sent = 0;
  const goesOn = () => ('ms' in until ? performance.now() - startedAt < until.ms : sent < until.requests);
  const intervalMs = order.requestsPerSecond === undefined ? undefined : 1000 / order.requestsPerSecond;
  const next = () => {
    if (!goesOn()) return undefined;
    const dueAt = intervalMs === undefined ? performance.now() : startedAt + sent * intervalMs;
    sent += 1;
    return { request: nextRequest(), dueAt };
  };
  const latencies: number[] = [];
  let bodyBytes = 0;
  const sockets: Socket[] = [];
  try {
    await Promise.all(
      Array.from({ length: order.connections }, async () => {
        const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
        sockets.push(socket);
        await converse(socket, next, (latencyMs, bytes) => {
          latencies.push(latencyMs);
          bodyBytes += bytes;
        });
      }),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const elapsedMs = performance.now() - startedAt;
  const sorted = Float64Array.from(latencies).sort();
  const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const times = { p50Ms: percentile(0.5), p99Ms: percentile(0.99), maxMs: percentile(1) };
  return { answers: latencies.length, elapsedMs, ...times, bodyBytes };
}

/** Requests without a number are converted to bytes once. */
function createRequests(templates: readonly string[], nextNumber: () => string): () => Buffer {
  const ready = templates.map((template) =>
    template.includes(numberPlaceholder) ? template.split(numberPlaceholder) : Buffer.from(template),
  );
  return () => {
    const request = ready[Math.floor(Math.random() * ready.length)] ?? Buffer.alloc(0);
    return Array.isArray(request) ? Buffer.from(request.join(nextNumber())) : request;
  };
}

/**
 * Sends one request after another over one connection. Parses answers only as far as the measured servers need it: a
 * status line and a body with its length.
 */
function converse(
  socket: Socket,
  next: () => { request: Buffer; dueAt: number } | undefined,
  onAnswer: (latencyMs: number, bodyBytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    /** The state of the present answer: the bytes of an incomplete head, then the number of missing body bytes. */
    let head: Buffer = Buffer.alloc(0);
    let bodyBytes = 0;
    let bytesLeft = -1;

    function send(): void {
      const due = next();
      if (!due) {
        resolve();
        return;
      }
      sentAt = due.dueAt;
      const earlyMs = Math.ceil(due.dueAt - performance.now());
      if (earlyMs > 0) setTimeout(() => socket.write(due.request), earlyMs);
      else socket.write(due.request);
    }

    function onData(chunk: Buffer): void {
      if (bytesLeft >= 0) bytesLeft -= chunk.length;
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(endOfHead);
        if (end === -1) return;
        const text = head.toString('latin1', 0, end);
        if (!/^HTTP\/1\.1 2\d\d /.test(text))
          throw new Error(`${text}\n\n${head.toString('utf8', end + 4, end + 600)}`);
        bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1]);
        bytesLeft = bodyBytes - (head.length - end - endOfHead.length);
        if (Number.isNaN(bytesLeft)) throw new Error(`an answer without a length:\n${text}`);
        head = Buffer.alloc(0);
      }
      if (bytesLeft > 0) return;
      if (bytesLeft < 0) throw new Error('more than one answer to one request');
      bytesLeft = -1;
      onAnswer(performance.now() - sentAt, bodyBytes);
      send();
    }

    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      try {
        onData(chunk);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
      }
    });
  });
}
