import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from './log.js';

/** How long an answer may take before Redis counts as away. */
const answerMsMax = 500;
/** A connection that owes an answer for so long is given up and opened anew. */
const silenceMsMax = 3000;
const reconnectMsMin = 50;
const reconnectMsMax = 1000;
/** How often Redis is asked whether it works, while it does and while it does not. */
const probeEveryMs = 500;
/** How long a start waits for Redis to show itself before it goes on without. */
const startPatienceMs = 2000;
const knownPollMs = 10;
const probeSeconds = 60;

/** Redis does not answer, or refuses; nothing may be concluded from what it was asked. */
export class RedisAwayError extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is away', options);
    this.name = 'RedisAwayError';
  }
}

/**
 * The Redis that several processes share. Everything in it can be done without for a while: whoever asks says what
 * happens when it is away, and is told so at once once that is known.
 */
export type SharedRedis = {
  /** @throws RedisAwayError after half a second at most */
  ask<Answer>(question: (connection: Redis) => Promise<Answer>): Promise<Answer>;
  isAway(): boolean;
  /** The connection behind `ask`, on which commands are defined. */
  readonly connection: Redis;
  /** Resolves once it is known whether Redis is there, or after two seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Connects, and goes on trying forever. It is told in the log when Redis goes and when it comes back. */
export function connectRedis({ url, log }: { url: string; log: Log }): SharedRedis {
  const connection = open(url, { enableOfflineQueue: false, commandTimeout: silenceMsMax });
  const stopping = new AbortController();
  const probeKey = `probe:${randomUUID()}`;
  /** Undefined until it is known for the first time. */
  let isThere: boolean | undefined;
  let watching: Promise<void> = Promise.resolve();

  function found(there: boolean, error?: unknown): void {
    if (isThere === there || stopping.signal.aborted) return;
    // The error itself can hold what was asked, the password among it.
    if (!there) log.warn({ reason: reasonOf(error) }, 'Redis is away: this process counts and remembers for itself');
    else if (isThere === false) log.info('Redis is back');
    isThere = there;
  }

  /** Writes, as a Redis that is full or a replica answers everything but that. */
  async function probe(): Promise<void> {
    try {
      await inTime(connection.set(probeKey, '', 'EX', probeSeconds));
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
    isAway: () => isThere !== true,
    async ask(question) {
      if (isThere !== true) throw new RedisAwayError();
      try {
        return await inTime(question(connection));
      } catch (error) {
        found(false, error);
        throw new RedisAwayError({ cause: error });
      }
    },
    async start() {
      const giveUpAt = Date.now() + startPatienceMs;
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

/** Nothing is sent twice or later: what was meant for then would be wrong by the time Redis is back. */
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
  // A command whose answer nobody reads must not end the process when it fails.
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    command.promise.catch(() => {});
    return send(command, stream);
  };
  return redis;
}

/** An answer that has arrived is in time, however late a busy process comes to read it: sockets are read after timers. */
function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${answerMsMax} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), answerMsMax);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : 'the connection was closed';
}
