import type { Redis } from 'ioredis';

/** Redis does not answer, or rejects commands; the result is unknown. */
export class RedisUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis is unavailable', options);
    this.name = 'RedisUnavailableError';
  }
}

/**
 * The Redis that several processes share. It is optional: callers decide what happens while it is unavailable. Once
 * that is known, their calls fail immediately.
 */
export type SharedRedis = {
  /** @throws RedisUnavailableError after at most half a second */
  ask<Answer>(question: (connection: Redis) => Promise<Answer>): Promise<Answer>;
  isUnavailable(): boolean;
  /** The connection behind `ask`, on which commands are defined. */
  readonly connection: Redis;
  /** Resolves once it is known whether Redis is available, or after two seconds. */
  start(): Promise<void>;
  stop(): Promise<void>;
};
