import { expect, it } from 'vitest';
import { createHomeFigures } from '../../../../server/app/home/figures.js';

const answer = { total: 1, seen: 1, seen_24h: 1, seen_day_before: 0, moved_today: 0, unseen_for_days: 0 };
const input = { dayStartMs: 0, unseenDays: 7 };

/** Figures that take as long to find as the test says, by a clock of its own. */
function setUp() {
  let nowMs = 0;
  let asked = 0;
  const ends: (() => void)[] = [];
  const db = {
    $queryRaw: () => {
      asked += 1;
      return new Promise((resolve) => ends.push(() => resolve([answer])));
    },
  };
  const figures = createHomeFigures(
    () => db as never,
    () => nowMs,
  );
  return {
    figures,
    asked: () => asked,
    pass: (ms: number) => (nowMs += ms),
    async finish() {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    },
  };
}

it('asks once for all who ask meanwhile, and keeps the answer for ten times as long as it took', async () => {
  const { figures, asked, pass, finish } = setUp();
  const [one, other] = [figures.of(1, input), figures.of(1, input)];
  pass(100);
  await finish();
  expect(await Promise.all([one, other])).toEqual([answer, answer]);
  expect(asked()).toBe(1);
  pass(999);
  await figures.of(1, input);
  expect(asked()).toBe(1);
  pass(1);
  void figures.of(1, input);
  expect(asked()).toBe(2);
});

it('keeps a figure in proportion to the time that it took, at most twenty seconds', async () => {
  const { figures, asked, pass, finish } = setUp();
  void figures.of(1, input);
  await finish();
  void figures.of(1, input);
  expect(asked()).toBe(2);
  pass(10_000);
  await finish();
  pass(20_000);
  void figures.of(1, input);
  expect(asked()).toBe(3);
});

it('distinguishes organizations, days and numbers of days', () => {
  const { figures, asked } = setUp();
  void figures.of(1, input);
  void figures.of(2, input);
  void figures.of(1, { ...input, dayStartMs: 60_000 });
  void figures.of(1, { ...input, unseenDays: 8 });
  expect(asked()).toBe(4);
});

it('forgets a failure, and asks again', async () => {
  let fails = true;
  const db = { $queryRaw: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve([answer])) };
  const figures = createHomeFigures(() => db as never);
  await expect(figures.of(1, input)).rejects.toThrow('away');
  fails = false;
  expect(await figures.of(1, input)).toEqual(answer);
});

it('keeps no more than a thousand answers', async () => {
  const { figures, asked, pass, finish } = setUp();
  for (let orgId = 1; orgId <= 1001; orgId += 1) void figures.of(orgId, input);
  pass(100);
  await finish();
  void figures.of(1001, input);
  expect(asked()).toBe(1001);
  void figures.of(1, input);
  expect(asked()).toBe(1002);
});
