import type { Log } from './log.js';

const lookEveryMs = 1000;
/** A time server adjusts a clock in smaller steps than this, or slowly. */
const jumpMs = 2000;

export type ClockWatchOptions = {
  log: Pick<Log, 'warn'>;
  /** Called when the clock was put back. */
  onBack: () => void;
  /** The clock that is watched, in milliseconds; the system's by default. */
  wallMs?: () => number;
};

/** Notices when the system's clock is put forward or back. */
export type ClockWatch = {
  /** Jumps since the start. */
  jumps(): number;
  stop(): void;
};

/** Compares the system's clock with a monotonic one every second. Logs and counts jumps of more than two seconds. */
export function createClockWatch({ log, onBack, wallMs = Date.now }: ClockWatchOptions): ClockWatch {
  const difference = () => wallMs() - performance.now();
  let before = difference();
  let jumps = 0;

  function look(): void {
    const now = difference();
    const byMs = now - before;
    before = now;
    if (Math.abs(byMs) < jumpMs) return;
    jumps += 1;
    const seconds = Math.round(byMs / 1000);
    log.warn({ seconds }, seconds > 0 ? 'the clock was put forward' : 'the clock was put back');
    if (byMs < 0) onBack();
  }

  const timer = setInterval(look, lookEveryMs).unref();
  return { jumps: () => jumps, stop: () => clearInterval(timer) };
}
