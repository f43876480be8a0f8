import { expect, it } from 'vitest';
import { createTurns } from '../../../server/kernel/turns.js';

/** Takes turns until nothing waits; each piece of work takes the milliseconds in its name. */
function play(work: readonly [orgId: number, name: string][]): string[] {
  let nowMs = 0;
  const turns = createTurns<string>(() => nowMs);
  for (const [orgId, name] of work) turns.add(orgId, name);
  const order: string[] = [];
  for (let turn = turns.next(); turn; turn = turns.next()) {
    order.push(turn.work);
    nowMs += Number.parseInt(turn.work, 10);
    turn.end();
  }
  return order;
}

it('an organization with short work has many turns for each long one of another', () => {
  const long = [1, 2, 3].map((no): [number, string] => [1, `90 long ${no}`]);
  const short = [1, 2, 3, 4, 5].map((no): [number, string] => [2, `1 short ${no}`]);
  expect(play([...long, ...short])).toEqual(['90 long 1', ...short.map(([, name]) => name), '90 long 2', '90 long 3']);
});

it('the time in which an organization had no work gives it no more turns later', () => {
  let nowMs = 0;
  const turns = createTurns<string>(() => nowMs);
  const take = (ms: number) => {
    const turn = turns.next();
    nowMs += ms;
    turn?.end();
    return turn?.work;
  };
  for (let no = 0; no < 10; no += 1) turns.add(1, 'one');
  for (let no = 0; no < 5; no += 1) take(10);
  for (let no = 0; no < 5; no += 1) turns.add(2, 'two');
  const next = [1, 2, 3, 4].map(() => take(10));
  expect(next.filter((name) => name === 'one')).toHaveLength(2);
});

it('an organization that sends one piece after the other has no more turns than one that has many waiting', () => {
  let nowMs = 0;
  const turns = createTurns<string>(() => nowMs);
  for (let no = 0; no < 20; no += 1) turns.add(2, 'two');
  turns.add(1, 'one');
  const order: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const turn = turns.next();
    nowMs += turn?.work === 'one' ? 50 : 10;
    turn?.end();
    order.push(turn?.work ?? '');
    if (turn?.work === 'one') turns.add(1, 'one');
  }
  expect(order.filter((name) => name === 'one').length).toBeLessThanOrEqual(3);
});
