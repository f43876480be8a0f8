import type { Account } from './account.js';
import type { Traffic } from './device.js';
import type { LocatingResult } from './locating-result.js';
import type { Visit } from './journey.js';
import type { SetUp } from './setup.js';
import type { Thing } from './things.js';
import type { Comparison } from './truth.js';

/** The result of a day. */
export type Outcome = {
  account: Account;
  setUp: SetUp;
  things: readonly Thing[];
  journeys: readonly Visit[][];
  /** How much of the day was played, and the real time that it took. */
  playedMs: number;
  tookMs: number;
  comparisons: readonly { atMs: number; comparison: Comparison }[];
  sum: Comparison;
  locating: LocatingResult;
  traffic: Readonly<Traffic>;
  lostReads: number;
  strayReads: number;
};
