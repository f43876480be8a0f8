import { expect, test } from 'vitest';
import { createMarks } from '../../ingest-broker/shared/marks.js';
import { RedisAwayError, type SharedRedis } from '../../server/index.js';

/** A Redis of which only matters whether it is there, and a connection of which only matters whether it has ended. */
function createWorld() {
  const clock = { ms: 0 };
  const stopping = new AbortController();
  const redis = { isThere: true, goesWhenAsked: false, looks: 0 };
  const shared = {
    isAway() {
      redis.looks += 1;
      return !redis.isThere;
    },
    async ask(question: (connection: object) => Promise<unknown>) {
      if (redis.goesWhenAsked) redis.isThere = false;
      if (!redis.isThere) throw new RedisAwayError();
      return question({ hexists: async () => 1, hset: async () => 1, expire: async () => 1, hdel: async () => 1 });
    },
  } as unknown as SharedRedis;
  const asker = {
    id: 'gate',
    closed: false,
    conn: {
      destroy() {
        asker.closed = true;
      },
    },
  };
  const options = { redis: shared, keptForSeconds: 60, stopping: stopping.signal, now: () => clock.ms };
  return { clock, stopping, redis, asker, marks: createMarks(options) };
}

/** Resolves once it has been looked again whether Redis is there, which happens as long as somebody waits for that. */
async function untilTriedAgain({ redis }: ReturnType<typeof createWorld>): Promise<void> {
  const before = redis.looks;
  await expect.poll(() => redis.looks).toBeGreaterThan(before + 1);
}

test.each(['has', 'add', 'remove'] as const)('%s waits for a Redis that goes meanwhile', async (what) => {
  const world = createWorld();
  world.redis.goesWhenAsked = true;
  const answer = world.marks[what](world.asker, 7);
  await untilTriedAgain(world);
  world.redis.goesWhenAsked = false;
  world.redis.isThere = true;
  await answer;
  expect(world.asker.closed).toBe(false);
});

test.each(['has', 'remove'] as const)(
  '%s waits no longer than its connection lasts, which is ten seconds',
  async (what) => {
    const world = createWorld();
    world.redis.isThere = false;
    const answer = world.marks[what](world.asker, 7);
    world.clock.ms = 9_999;
    await untilTriedAgain(world);
    world.clock.ms = 10_000;
    await expect(answer).rejects.toThrow(RedisAwayError);
    expect(world.asker.closed).toBe(true);
  },
);

test('a message that is stored gets its mark though its connection has ended', async () => {
  const world = createWorld();
  world.redis.isThere = false;
  const answer = world.marks.add(world.asker, 7);
  world.asker.closed = true;
  await untilTriedAgain(world);
  world.redis.isThere = true;
  await expect(answer).resolves.toBeUndefined();
});

test.each(['has', 'add', 'remove'] as const)(
  '%s ends when the process stops, and its reader hears nothing',
  async (what) => {
    const world = createWorld();
    world.redis.isThere = false;
    const answer = world.marks[what](world.asker, 7);
    world.stopping.abort();
    await expect(answer).rejects.toThrow(RedisAwayError);
    if (what !== 'add') expect(world.asker.closed).toBe(true);
  },
);
