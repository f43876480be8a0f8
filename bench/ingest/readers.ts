import { serveOrders } from '../worker.js';
import { createHistogram } from './histogram.js';
import type { Messages } from './messages.js';
import { connectPublisher, type Publisher, type ReaderAccount } from './publisher.js';
import { messagesOfScene, type SceneName } from './scenes.js';

/** An order for the process with the readers. */
export type PublishOrder = {
  readonly port: number;
  readonly readers: readonly ReaderAccount[];
  /** Values of tags. Each reader reads the tags that it receives round-robin. */
  readonly tags: readonly string[];
  readonly scene: SceneName;
  readonly readsPerMessage: number;
  readonly qos: 0 | 1;
  readonly window: number;
  /**
   * Messages of all readers are due at this rate, whether or not earlier ones are answered; by default each reader
   * continues as soon as it can.
   */
  readonly messagesPerSecond: number | undefined;
  readonly until: { readonly ms: number } | { readonly messages: number };
};

export type PublishReport = {
  /** The number of messages. At QoS 1 all of them were acknowledged. */
  readonly messages: number;
  /** From the first message to the last answer. */
  readonly elapsedMs: number;
  /** Only at QoS 1. The wait of a due message for a free window counts. */
  readonly ack: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
};

/** The time limit of the last answers. */
const timeoutMs = 60_000;
const tickMs = 1;

/** Runs the process with all readers: none of them reads a tag twice in one millisecond. */
export function serveReaders(): void {
  const made = new Map<string, Messages[]>();
  serveOrders((order: PublishOrder) => {
    const { tags, readsPerMessage, scene, readers } = order;
    const key = `${readsPerMessage} ${readers.length} ${scene} ${tags.length} ${tags[0]}`;
    const messages = made.get(key) ?? messagesOfScene(scene, tags, { readers: readers.length, readsPerMessage });
    made.set(key, messages);
    return publish(order, messages);
  });
}

/**
 * Lets readers publish, and waits until everything is answered.
 *
 * @throws Error if the broker rejects a reader, ends a connection, or omits answers
 */
export async function publish(order: PublishOrder, messages: readonly Messages[]): Promise<PublishReport> {
  const { port, qos, window, until, messagesPerSecond } = order;
  const latencies = createHistogram();
  const publishers: Publisher[] = [];
  let sent = 0;
  let startedAt = 0;
  let lastAnswerAt = 0;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const goesOn = () => ('ms' in until ? performance.now() - startedAt < until.ms : sent < until.messages);

  function send(index: number, sinceMs: number): void {
    sent += 1;
    try {
      publishers[index]?.send((messages[index] as Messages).next(Date.now()), sinceMs);
    } catch (error) {
      fail(error);
    }
  }

  try {
    const rooms: (() => void)[] = [];
    await Promise.all(
      order.readers.map(async (account, index) => {
        publishers[index] = await connectPublisher({
          port,
          account,
          qos,
          window,
          onAck: (latencyMs) => latencies.add(latencyMs),
          onCapacity() {
            lastAnswerAt = performance.now();
            rooms[index]?.();
          },
          onFailure: fail,
        });
      }),
    );
    startedAt = performance.now();
    const loop = messagesPerSecond === undefined ? closedLoop : openLoop;
    await Promise.race([failed, loop({ publishers, rooms, send, goesOn, messagesPerSecond: messagesPerSecond ?? 0 })]);
    await Promise.race([failed, allSettled(publishers)]);
  } finally {
    for (const publisher of publishers) publisher?.close();
  }
  return {
    messages: sent,
    elapsedMs: lastAnswerAt - startedAt,
    ack: { p50Ms: latencies.percentile(0.5), p99Ms: latencies.percentile(0.99), maxMs: latencies.maxMs() },
  };
}

type Loop = {
  publishers: readonly Publisher[];
  /** Called when the publisher with the same index may send. */
  rooms: (() => void)[];
  /** Sends the next message of the publisher with this index. */
  send: (index: number, sinceMs: number) => void;
  goesOn: () => boolean;
  messagesPerSecond: number;
};

/** Closed loop: each reader fills its window and sends again as soon as it can. */
function closedLoop({ publishers, rooms, send, goesOn }: Loop): Promise<void> {
  return new Promise((resolve) => {
    publishers.forEach((publisher, index) => {
      rooms[index] = () => {
        while (publisher.hasCapacity() && goesOn()) send(index, performance.now());
        if (!goesOn()) resolve();
      };
      rooms[index]();
    });
  });
}

/** Open loop: messages are due at even intervals, of one reader after another, however long the answers take. */
function openLoop({ publishers, rooms, send, goesOn, messagesPerSecond }: Loop): Promise<void> {
  const intervalMs = 1000 / messagesPerSecond;
  const backlogs = publishers.map(() => [] as number[]);
  const startedAt = performance.now();
  let due = 0;

  function sendDue(index: number): void {
    const publisher = publishers[index];
    const backlog = backlogs[index];
    while (publisher?.hasCapacity() && backlog && backlog.length > 0) send(index, backlog.shift() ?? 0);
  }

  return new Promise((resolve) => {
    publishers.forEach((_, index) => {
      rooms[index] = () => sendDue(index);
    });
    const timer = setInterval(() => {
      for (const now = performance.now(); goesOn() && startedAt + due * intervalMs <= now; due += 1) {
        const index = due % publishers.length;
        backlogs[index]?.push(startedAt + due * intervalMs);
        sendDue(index);
      }
      if (goesOn() || backlogs.some((backlog) => backlog.length > 0)) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
}

async function allSettled(publishers: readonly Publisher[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('answers are missing')), timeoutMs);
  });
  await Promise.race([late, Promise.all(publishers.map((publisher) => publisher.settled()))]);
  clearTimeout(timer);
}
