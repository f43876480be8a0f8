import { cpus } from 'node:os';
import { processorMs } from '../usage.js';

type Times<Name extends string> = Record<Name, number | undefined>;

/**
 * @returns a function for the processor time of each process and its children since, in milliseconds; undefined without
 *   `/proc`
 */
export function startProcessorTimes<Name extends string>(pids: Readonly<Record<Name, number>>): () => Times<Name> {
  const names = Object.keys(pids) as Name[];
  const take = () => names.map((name) => processorMs(pids[name]));
  const before = take();
  return () => {
    const after = take();
    return Object.fromEntries(names.map((name, no) => [name, difference(before[no], after[no])])) as Times<Name>;
  };
}

function difference(start: number | undefined, end: number | undefined): number | undefined {
  return start === undefined || end === undefined ? undefined : end - start;
}

/** Converts the time for a number of rows to the time for 10,000 rows. */
export function per10000(ms: number | undefined, rows: number): number | undefined {
  return ms === undefined ? undefined : (ms * 10_000) / rows;
}

/** Returns the sum; undefined if one of the times is undefined. */
export function sum(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce<number | undefined>(
    (total, ms) => (total === undefined || ms === undefined ? undefined : total + ms),
    0,
  );
}

/** @returns a function for how long all processors together have been busy since, and the maximum, in milliseconds */
export function startMachineTimes(): () => { busyMs: number; wholeMs: number } {
  const take = () => {
    const times = cpus().map((processor) => processor.times);
    const idleMs = times.reduce((total, { idle }) => total + idle, 0);
    const wholeMs = times.reduce((total, { user, nice, sys, idle, irq }) => total + user + nice + sys + idle + irq, 0);
    return { idleMs, wholeMs };
  };
  const before = take();
  return () => {
    const after = take();
    const wholeMs = after.wholeMs - before.wholeMs;
    return { busyMs: wholeMs - (after.idleMs - before.idleMs), wholeMs };
  };
}
