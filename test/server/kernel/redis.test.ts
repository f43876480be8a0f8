import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../server/kernel/log.js';
import { connectRedis } from '../../../server/kernel/redis.js';
import { RedisUnavailableError, type SharedRedis } from '../../../server/kernel/shared-redis.js';
import { freePort } from '../../support/program.js';
import { startRedis } from '../../support/redis.js';

type Line = { level: string; msg: string; reason?: string };

type Connected = AsyncDisposable & {
  readonly redis: SharedRedis;
  readonly logged: Line[];
};

async function connectTo(url: string): Promise<Connected> {
  const logged: Line[] = [];
  const log = createLog('info', { write: (line: string) => void logged.push(JSON.parse(line) as Line) });
  const redis = connectRedis({ url, log });
  await redis.start();
  return { redis, logged, [Symbol.asyncDispose]: () => redis.stop() };
}

const ping = (connection: Redis) => connection.ping();

describe('the Redis that processes share', () => {
  test('answers, and says nothing in the log while it does', async () => {
    await using server = await startRedis();
    await using world = await connectTo(server.url);
    expect(world.redis.isUnavailable()).toBe(false);
    expect(await world.redis.ask(ping)).toBe('PONG');
    expect(world.logged).toEqual([]);
  });

  test('is logged as unavailable once, however many ask, and as back once', async () => {
    await using server = await startRedis();
    await using world = await connectTo(server.url);
    await server.kill();
    for (let index = 0; index < 50; index += 1) {
      await expect(world.redis.ask(ping)).rejects.toThrow(RedisUnavailableError);
    }
    expect(world.redis.isUnavailable()).toBe(true);
    expect(world.logged).toMatchObject([{ level: 'warn', msg: expect.stringMatching(/^Redis is unavailable/) }]);
    await server.restart();
    await expect.poll(() => world.redis.isUnavailable()).toBe(false);
    expect(await world.redis.ask(ping)).toBe('PONG');
    expect(world.logged.slice(1)).toMatchObject([{ level: 'info', msg: 'Redis is back' }]);
  });

  test('is not unavailable when this process is too busy to read its answer', async () => {
    await using server = await startRedis();
    await using world = await connectTo(server.url);
    // Timers come next after this, and sockets only then.
    await new Promise((resolve) => setImmediate(resolve));
    const answer = world.redis.ask(ping);
    // The command is sent in a microtask.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const busyUntil = Date.now() + 600;
    while (Date.now() < busyUntil);
    expect(await answer).toBe('PONG');
    expect(world.redis.isUnavailable()).toBe(false);
  });

  test('is unavailable when it hangs, also without requests', async () => {
    await using server = await startRedis();
    await using world = await connectTo(server.url);
    server.freeze();
    await expect.poll(() => world.redis.isUnavailable()).toBe(true);
    server.thaw();
    await expect.poll(() => world.redis.isUnavailable()).toBe(false);
  });

  test('is unavailable while it is full, without becoming available for a moment in between', async () => {
    await using server = await startRedis();
    await using world = await connectTo(server.url);
    const admin = new Redis(server.url);
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await admin.config('SET', 'maxmemory', '1');
    await expect(world.redis.ask((connection) => connection.set('a', 'b'))).rejects.toThrow(RedisUnavailableError);
    // However often it is tried meanwhile.
    const refusals = async () =>
      Number(/cmdstat_set:.*rejected_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);
    await expect.poll(refusals).toBeGreaterThan(3);
    expect(world.redis.isUnavailable()).toBe(true);
    expect(world.logged).toHaveLength(1);
    await admin.config('SET', 'maxmemory', '0');
    await expect.poll(() => world.redis.isUnavailable()).toBe(false);
    expect(world.logged.map(({ level }) => level)).toEqual(['warn', 'info']);
    admin.disconnect();
  });

  test('keeps its password out of the log', async () => {
    await using server = await startRedis();
    const admin = new Redis(server.url);
    await admin.config('SET', 'requirepass', 'the right one');
    await using world = await connectTo(server.url.replace('//', '//:wrong-one@'));
    expect(world.redis.isUnavailable()).toBe(true);
    expect(world.logged).toHaveLength(1);
    expect(world.logged[0]?.reason).toContain('WRONGPASS');
    expect(JSON.stringify(world.logged)).not.toContain('wrong-one');
    admin.disconnect();
  });

  test('can be unavailable at the start', async () => {
    const port = await freePort();
    await using world = await connectTo(`redis://127.0.0.1:${port}`);
    expect(world.redis.isUnavailable()).toBe(true);
    expect(world.logged).toMatchObject([{ level: 'warn', reason: expect.stringContaining('ECONNREFUSED') }]);
  });

  test('can be another program that is not Redis', async () => {
    const server = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using world = await connectTo(`redis://127.0.0.1:${port}`);
    await expect(world.redis.ask(ping)).rejects.toThrow(RedisUnavailableError);
    server.close();
  });

  test('handles every error, so that none ends the process', async () => {
    await using server = await startRedis();
    await using world = await connectTo(server.url);
    server.freeze();
    const { connection } = world.redis;
    // What a library does that does not look at the answer.
    for (let index = 0; index < 10; index += 1) void connection.lrem('list', 0, 'x');
    await server.kill();
    for (let index = 0; index < 10; index += 1) void connection.lrem('list', 0, 'x');
    await expect.poll(() => world.redis.isUnavailable()).toBe(true);
    expect(world.redis.isUnavailable()).toBe(true);
  });
});
