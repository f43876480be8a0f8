import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoopTurns } from '../../../server/kernel/loop-turns.js';

/** Pieces of work that take the time of a clock of their own, which moves only with them by default, and what ran in which order. */
function createPieces(elapsedMs = () => 0) {
  let passedMs = 0;
  const turns = createLoopTurns(() => passedMs + elapsedMs());
  const order: string[] = [];
  return {
    order,
    pass: (ms: number) => (passedMs += ms),
    async run(orgId: number, name: string, ms: number) {
      await turns.next(orgId);
      order.push(name);
      passedMs += ms;
    },
  };
}

test('the next piece is from the organization that has used the least time', async () => {
  const pieces = createPieces();
  const long = [1, 2, 3, 4].map((no) => pieces.run(1, `long ${no}`, 5));
  await long[0];
  await Promise.all([...long, pieces.run(2, 'short', 1)]);
  expect(pieces.order).toEqual(['long 1', 'short', 'long 2', 'long 3', 'long 4']);
});

test('an organization rests after a long piece while another one is active', async () => {
  const pieces = createPieces(() => performance.now());
  await pieces.run(2, 'request', 0);
  const long = [1, 2].map((no) => pieces.run(1, `long ${no}`, 50));
  await long[0];
  await delay(1);
  await Promise.all([...long, pieces.run(2, 'rest of the request', 0)]);
  expect(pieces.order).toEqual(['request', 'long 1', 'rest of the request', 'long 2']);
});

test('between long pieces the event loop does other work', async () => {
  const pieces = createPieces();
  const long = [1, 2, 3].map((no) => pieces.run(1, `long ${no}`, 10));
  await long[0];
  setImmediate(() => pieces.order.push('other work'));
  await Promise.all(long);
  expect(pieces.order.indexOf('other work')).toBeLessThan(pieces.order.indexOf('long 3'));
});

test('short pieces run in one turn of the event loop', async () => {
  const pieces = createPieces();
  const short = [1, 2, 3, 4].map((no) => pieces.run(1, `short ${no}`, 1));
  await short[0];
  setImmediate(() => pieces.order.push('other work'));
  await Promise.all(short);
  expect(pieces.order).toEqual(['short 1', 'short 2', 'short 3', 'short 4']);
});

test('the time of a piece includes what follows without waiting for something else', async () => {
  const pieces = createPieces();
  const first = pieces.run(1, 'one', 0).then(async () => {
    await Promise.resolve();
    pieces.pass(3);
  });
  const others = [pieces.run(1, 'one again', 0), pieces.run(2, 'two', 1), pieces.run(2, 'two again', 1)];
  await Promise.all([first, ...others]);
  expect(pieces.order).toEqual(['one', 'two', 'two again', 'one again']);
});
