import path from 'node:path';
import { parseArgs } from 'node:util';
import { positive } from './whole-number.js';

/** How much is seeded, and how long is measured. */
export type Options = {
  readonly sizes: Sizes;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly roundMs: number;
  /** Concurrent requests. */
  readonly connections: number;
  /** Names of operations must contain one of these; all are measured by default. */
  readonly only: readonly string[];
  /** The folder of the seeded database for later runs; by default a temporary one. */
  readonly dataDir: string | undefined;
  /** The folder of a processor profile of the service. */
  readonly profileDir: string | undefined;
};

export type Sizes = {
  readonly assets: number;
  readonly locations: number;
  readonly events: number;
  /** Whether all assets were last seen within the ten seconds before the seeding, as with continuous reads. */
  readonly seenNow?: boolean;
};

export const usage = `npm run bench -- [options]
  --quick            a tenth of the rows and short rounds: whether it works, not how fast it is
  --assets <n>       live assets of the organization that is measured (100000)
  --locations <n>    its locations (10000)
  --events <n>       its scan events (1000000)
  --rounds <n>       rounds of service and baseline in turn (3)
  --seconds <s>      length of a round (4)
  --connections <n>  requests under way at any time (16)
  --seen-now         all assets were last seen within the last ten seconds, instead of over months
  --only <text>      only operations whose name contains the text; may be repeated
  --data <folder>    keep the seeded database there for the next run
  --profile <folder> write a processor profile of the service there`;

/** @throws TypeError or RangeError for invalid arguments */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      assets: { type: 'string' },
      locations: { type: 'string' },
      events: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '16' },
      'seen-now': { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      data: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const scale = values.quick ? 0.1 : 1;
  return {
    sizes: {
      assets: sizeOf('assets', values.assets, 100_000 * scale),
      locations: sizeOf('locations', values.locations, 10_000 * scale),
      events: sizeOf('events', values.events, 1_000_000 * scale),
      seenNow: values['seen-now'],
    },
    rounds: positive('rounds', values.rounds ?? (values.quick ? '1' : '3')),
    warmUpMs: values.quick ? 500 : 2000,
    roundMs: positive('seconds', values.seconds ?? (values.quick ? '1' : '4')) * 1000,
    connections: positive('connections', values.connections),
    only: values.only,
    dataDir: values.data && path.resolve(values.data),
    profileDir: values.profile && path.resolve(values.profile),
  };
}

function sizeOf(name: string, given: string | undefined, fallback: number): number {
  return given === undefined ? fallback : positive(name, given);
}
