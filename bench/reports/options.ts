import { parseArgs } from 'node:util';
import { positive } from '../whole-number.js';

export type ReportsOptions = { visits: number; assets: number; locations: number; rounds: number; explain: boolean };

export const usage = `npm run bench:reports -- [options]
  --visits <n>      visits of 90 days (1000000)
  --assets <n>      assets that have them (20000)
  --locations <n>   locations (1000)
  --rounds <n>      how often each question is asked (5)
  --explain         prints the plan of each statement, too`;

/** @throws TypeError or RangeError for invalid arguments */
export function readReportsOptions(args: string[]): ReportsOptions {
  const { values } = parseArgs({
    args,
    options: {
      visits: { type: 'string', default: '1000000' },
      assets: { type: 'string', default: '20000' },
      locations: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '5' },
      explain: { type: 'boolean', default: false },
    },
  });
  return {
    visits: positive('visits', values.visits),
    assets: positive('assets', values.assets),
    locations: positive('locations', values.locations),
    rounds: positive('rounds', values.rounds),
    explain: values.explain,
  };
}
