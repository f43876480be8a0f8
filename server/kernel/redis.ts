import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import { type Deadline, withDeadline } from './deadline.js';
import type { Log } from './log.js';
import { RedisUnavailableError, type SharedRedis } from './shared-redis.js';

/** The time limit of an answer. If it is exceeded, Redis counts as unavailable. */
const inTime: Deadline = { what: 'Redis', ms: 500 };
/** If an answer is overdue for this long, the connection is closed and opened again. */
const silenceMsMax = 3000;
const reconnectMsMin = 50;
const reconnectMsMax = 1000;
/** How often Redis is checked, both while it works and while it does not. */
const probeEveryMs = 500;
/** How long a start waits for Redis before it continues without it. */
const startTimeoutMs = 2000;
const knownPollMs = 10;
const probeSeconds = 60;

/** Connects to Redis, and keeps trying. Logs when Redis becomes unavailable and when it is back. */
export function connectRedis({ url, log }: { url: string; log: Log }): SharedRedis {
  const connection = open(url, { enableOfflineQueue: false, commandTimeout: silenceMsMax });
  const stopping = new AbortController();
  const probeKey = `probe:${randomUUID()}`;
  /** Undefined until the first check. */
  let isThere: boolean | undefined;
  let watching: Promise<void> = Promise.resolve();

  function found(there: boolean, error?: unknown): void {
    if (isThere === there || stopping.signal.aborted) return;
    // The error itself can contain the command, and the password.
    if (!there) log.warn({ reason: reasonOf(error) }, 'Redis is unavailable: this process counts by itself');
    else if (isThere === false) log.info('Redis is back');
    isThere = there;
  }

  /** Checks Redis with a write, since a Redis that is full or a replica still answers reads. */
  async function probe(): Promise<void> {
    try {
      await withDeadline(inTime, () => connection.set(probeKey, '', 'EX', probeSeconds));
      found(true);
    } catch (error) {
      found(false, error);
    }
  }

  async function watch(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(probeEveryMs, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await probe();
    }
  }

  connection.on('error', (error: unknown) => found(false, error));
  connection.on('close', () => found(false));
  connection.on('ready', () => void probe());

  return {
    connection,
    isUnavailable: () => isThere !== true,
    async ask(question) {
      if (isThere !== true) throw new RedisUnavailableError();
      try {
        return await withDeadline(inTime, () => question(connection));
      } catch (error) {
        found(false, error);
        throw new RedisUnavailableError({ cause: error });
      }
    },
    async start() {
      const giveUpAt = Date.now() + startTimeoutMs;
      while (isThere === undefined && Date.now() < giveUpAt) await delay(knownPollMs);
      watching = watch();
    },
    async stop() {
      stopping.abort();
      await watching;
      connection.disconnect();
    },
  };
}

/** Opens a connection that queues and repeats nothing: a delayed command would be wrong by the time Redis is back. */
function open(url: string, options: RedisOptions): Redis {
  const redis = new Redis(url, {
    connectionName: 'whereabouts',
    keyPrefix: 'whereabouts:',
    connectTimeout: silenceMsMax,
    socketTimeout: silenceMsMax,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(reconnectMsMax, reconnectMsMin * 2 ** Math.min(attempt, 10)),
    ...options,
  });
  redis.on('error', () => {});
  // A failed command whose answer nobody reads must not end the process.
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    command.promise.catch(() => {});
    return send(command, stream);
  };
  return redis;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : 'the connection was closed';
}
