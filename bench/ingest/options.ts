import path from 'node:path';
import { parseArgs } from 'node:util';
import { positive } from '../whole-number.js';

export type IngestOptions = {
  readonly assets: number;
  readonly locations: number;
  /** Alternating rounds of service and batches. */
  readonly rounds: number;
  /**
   * The duration of the main load before it is measured, so that the service's code is compiled. Other loads have a
   * tenth of it.
   */
  readonly warmUpMs: number;
  readonly roundMs: number;
  /** The duration of the load on a new database. */
  readonly newDatabaseMs: number;
  /** Readers of the main load. */
  readonly readers: number;
  /** The number of a reader's unacknowledged messages. */
  readonly window: number;
  /** Requests for an asset during half of the main load. */
  readonly getsPerSecond: number;
  /** Besides the main load only parts with one of these in their names; all by default. */
  readonly only: readonly string[];
  /** Rounds of the main load alternately without rules and with ten; 0 skips them. */
  readonly ruleRounds: number;
  /** The folder of a processor profile of the service. */
  readonly profileDir: string | undefined;
};

export const usage = `npm run bench:ingest -- [options]
  --quick            fewer assets and short rounds: whether it works, not how fast it is
  --rounds <n>       rounds of the main load and of the same rows in batches, in turn (3)
  --seconds <s>      length of a round (4)
  --readers <n>      readers of the main load (20)
  --window <n>       messages of a reader that are not acknowledged at any time (10)
  --assets <n>       assets that are read in turn (10000)
  --gets <n>         requests a second for an asset beside half of the main load (200)
  --only <text>      besides the main load only parts whose name contains the text; may be repeated
  --rules <n>        rounds of the main load without alert rules and with ten of them, in turn (none)
  --profile <folder> write a processor profile of the service there`;

/** @throws TypeError or RangeError for invalid arguments */
export function readIngestOptions(args: string[]): IngestOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      readers: { type: 'string', default: '20' },
      window: { type: 'string', default: '10' },
      assets: { type: 'string' },
      gets: { type: 'string', default: '200' },
      only: { type: 'string', multiple: true, default: [] },
      rules: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { quick } = values;
  return {
    assets: positive('assets', values.assets ?? (quick ? '2000' : '10000')),
    locations: 1000,
    rounds: positive('rounds', values.rounds ?? (quick ? '1' : '3')),
    warmUpMs: quick ? 300 : 10_000,
    roundMs: positive('seconds', values.seconds ?? (quick ? '1' : '4')) * 1000,
    newDatabaseMs: quick ? 6000 : 60_000,
    readers: positive('readers', values.readers),
    window: positive('window', values.window),
    getsPerSecond: positive('gets', values.gets),
    only: values.only,
    ruleRounds: values.rules === undefined ? 0 : positive('rules', values.rules),
    profileDir: values.profile && path.resolve(values.profile),
  };
}
