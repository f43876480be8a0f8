import { parseArgs } from 'node:util';
import { positive } from '../whole-number.js';

export type ContainersOptions = { rounds: number; recordings: string | undefined };

export const usage = `npm run bench:containers -- [options]
  --rounds <n>           moves of each container (20)
  --recordings <folder>  plays recorded reads as a cart with six boxes, one of which is left behind`;

/** @throws TypeError or RangeError for invalid arguments */
export function readContainersOptions(args: string[]): ContainersOptions {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '20' }, recordings: { type: 'string' } },
  });
  return { rounds: positive('rounds', values.rounds), recordings: values.recordings };
}
