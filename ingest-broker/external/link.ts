import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../../server/index.js';
import { type Conversation, type ConversationOptions, converse } from './conversation.js';

const pauses = { minMs: 200, maxMs: 15_000 };
/** A connection that lasted this long does not count as failed. */
const steadyMs = 10_000;

/** Keeps one connection to the external broker, and reconnects with backoff whenever it is lost. */
export function createLink(options: ConversationOptions) {
  const { broker, arrivals, log } = options;
  const about = { host: broker.host, port: broker.port, clientId: broker.clientId };
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
  let conversation: Conversation | undefined;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      // The unsettled messages of a lost connection still take memory, and will be sent again.
      await Promise.race([arrivals.capacity(), stopped]);
      if (signal.aborted) return;
      const begunAtMs = Date.now();
      conversation = converse(options);
      const error = await conversation.ended;
      if (signal.aborted) return;
      if (Date.now() - begunAtMs > steadyMs) failures = 0;
      const pauseMs = Math.round(backoffMs(failures, pauses));
      log.warn({ ...about, reason: reasonOf(error), pauseMs }, 'no connection to the external broker');
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Acknowledges what gets stored within the given time, and ends the connection. */
  async function stop(timeoutMs: number): Promise<void> {
    stopping.abort();
    const late = delay(timeoutMs, 'late' as const, { ref: false });
    if (conversation?.isSubscribed() && broker.onStop === 'leave') {
      const left = await Promise.race([conversation.leave(), conversation.ended, late]);
      if (left === undefined) log.info(about, 'left the group at the external broker');
      else log.error(about, 'the external broker may still keep messages for this process: restart it to receive them');
    }
    await conversation?.end(Promise.race([arrivals.drained(), late]));
    await running;
  }

  return {
    start(): void {
      running = run();
    },
    stop,
    isSubscribed: () => conversation?.isSubscribed() ?? false,
  };
}

/** Returns the message of a socket error. Some errors, such as the error of a name with several addresses, have only a code. */
function reasonOf(error: NodeJS.ErrnoException | undefined): string | undefined {
  return error?.message || error?.code;
}
