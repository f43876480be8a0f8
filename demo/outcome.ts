import type { Account } from './account.js';
import type { Traffic } from './device.js';
import type { LocatingResult } from './locating-result.js';
import type { SetUp } from './setup.js';
import type { Comparison } from './truth.js';

/** The result of a day. */
export type Outcome = {
  account: Account;
  setUp: SetUp;
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
