import path from 'node:path';
import { parseArgs } from 'node:util';
import { positive } from '../whole-number.js';

export type NeighborsOptions = {
  /** Live assets of the organization that attacks. */
  readonly assets: number;
  /** How long each attack lasts. */
  readonly ms: number;
  /** Names of attacks must contain one of these; all are measured if there is none. */
  readonly only: readonly string[];
  readonly dataDir: string | undefined;
  /** The folder of a processor profile of the service. */
  readonly profileDir: string | undefined;
};

export const usage = `npm run bench:neighbors -- [options]
  --assets <n>       live assets of the organization that attacks (300000)
  --seconds <s>      how long each attack lasts (15)
  --only <text>      only attacks whose name contains the text; may be repeated
  --data <folder>    keep the seeded database there for the next run
  --profile <folder> write a processor profile of the service there`;

/** @throws TypeError or RangeError for invalid arguments */
export function readNeighborsOptions(args: string[]): NeighborsOptions {
  const { values } = parseArgs({
    args,
    options: {
      assets: { type: 'string', default: '300000' },
      seconds: { type: 'string', default: '15' },
      only: { type: 'string', multiple: true, default: [] },
      data: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  return {
    assets: positive('assets', values.assets),
    ms: positive('seconds', values.seconds) * 1000,
    only: values.only,
    dataDir: values.data && path.resolve(values.data),
    profileDir: values.profile && path.resolve(values.profile),
  };
}
