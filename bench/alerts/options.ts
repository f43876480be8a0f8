import { parseArgs } from 'node:util';
import { positive } from '../whole-number.js';

export type AlertsOptions = {
  readonly assets: number;
  /** How long each load lasts. */
  readonly ms: number;
  readonly readsPerSecond: number;
  /** Deliveries of each measurement of the throughput. */
  readonly deliveries: number;
  /** Names of parts must contain one of these; all are measured if there is none. */
  readonly only: readonly string[];
};

export const usage = `npm run bench:alerts -- [options]
  --quick            few assets and short loads: whether it works, not how fast it is
  --seconds <s>      length of each load (15)
  --reads <n>        reads a second beside which moves are reported (1000)
  --deliveries <n>   deliveries of each measurement of the throughput (4000)
  --assets <n>       assets that are read in turn (10000)
  --only <text>      only parts whose name contains the text; may be repeated`;

/** @throws TypeError or RangeError for invalid arguments */
export function readAlertsOptions(args: string[]): AlertsOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      reads: { type: 'string', default: '1000' },
      deliveries: { type: 'string' },
      assets: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  const { quick } = values;
  return {
    assets: positive('assets', values.assets ?? (quick ? '2000' : '10000')),
    ms: positive('seconds', values.seconds ?? (quick ? '3' : '15')) * 1000,
    readsPerSecond: positive('reads', values.reads),
    deliveries: positive('deliveries', values.deliveries ?? (quick ? '400' : '4000')),
    only: values.only,
  };
}
