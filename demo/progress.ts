import type { Output } from './output.js';
import { formatTime } from './shifts.js';
import type { Comparison, Tally } from './truth.js';

const barWidth = 24;
/** How many lines are written where no status can be shown. */
const linesPerDay = 24;
/** Shortest time between two updates of a terminal. */
const frameMs = 100;

export type Progress = { show(now: { dayMs: number; reads: number; latest: Comparison | undefined }): void };

/** Shows the progress of the day: as the status of a terminal, otherwise in a line every 24th of the day. */
export function createProgress({
  output,
  dayMs,
  beganAtMs,
}: {
  output: Output;
  dayMs: number;
  beganAtMs: number;
}): Progress {
  let shownAtMs = 0;
  let written = 0;

  return {
    show({ dayMs: nowMs, reads, latest }) {
      const part = nowMs / dayMs;
      const realMs = Date.now();
      const isDue = output.hasStatus ? realMs - shownAtMs >= frameMs : Math.floor(part * linesPerDay) > written;
      if (!isDue) return;
      shownAtMs = realMs;
      written = Math.floor(part * linesPerDay);
      const speed = nowMs / Math.max(realMs - beganAtMs, 1);
      const truth = latest ? `, ${percent(latest.withinReach)} at the true location` : '';
      const text = `${reads.toLocaleString('en')} reads${truth}, ${speed.toFixed(0)} times real time`;
      if (output.hasStatus) output.status(`${formatTime(nowMs)}  ${bar(part)}  ${text}`);
      else output.line(`${formatTime(nowMs)}  ${(part * 100).toFixed(0).padStart(3)} %  ${text}`);
    },
  };
}

function bar(part: number): string {
  const full = Math.round(part * barWidth);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}

/** The share of assets that were reported at the true location. */
function percent({ assets, atTrueLocation }: Tally): string {
  return assets === 0 ? '–' : `${((100 * atTrueLocation) / assets).toFixed(1)} %`;
}
