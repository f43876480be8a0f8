import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, regardless of its own clock. */
const msPerTick = 10;

/**
 * Returns the processor time of a process and its children so far, including ended ones, in milliseconds; undefined if
 * the system has no `/proc`.
 */
export function processorMs(pid: number): number | undefined {
  const processes = readProcesses();
  if (!processes) return undefined;
  const own = processes.filter((candidate) => candidate.pid === pid || candidate.parent === pid);
  return own.reduce((sum, { ticks, endedChildrenTicks }) => sum + ticks + endedChildrenTicks, 0) * msPerTick;
}

/** Returns the present and the maximum memory of a process, in bytes; undefined if the system has no `/proc`. */
export function residentBytes(pid: number): { now: number; peak: number } | undefined {
  const status = readText(`/proc/${pid}/status`);
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status ?? '')?.[1]);
  if (status === undefined) return undefined;
  return { now: kibibytes('VmRSS') * 1024, peak: kibibytes('VmHWM') * 1024 };
}

type Process = { pid: number; parent: number; ticks: number; endedChildrenTicks: number };

function readProcesses(): Process[] | undefined {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  } catch {
    return undefined;
  }
}

function readProcess(pid: number): Process[] {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return [];
  // The name in parentheses may contain anything; the fields are counted from after it, the state being the first.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return [{ pid, parent: field(4), ticks: field(14) + field(15), endedChildrenTicks: field(16) + field(17) }];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
