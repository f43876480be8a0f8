import type { Output } from './output.js';
import { wallClock } from './shifts.js';
import type { Look, Tally } from './truth.js';

const barWidth = 24;
/** How often it is told where nothing can be written anew, in parts of the day. */
const linesPerDay = 24;
/** How often a terminal shows something new. */
const frameMs = 100;

export type Progress = { show(now: { dayMs: number; reads: number; latest: Look | undefined }): void };

/** Shows how far the day has come: in one line of a terminal, elsewhere in a line now and then. */
export function createProgress({
  output,
  dayMs,
  begunAtMs,
}: {
  output: Output;
  dayMs: number;
  begunAtMs: number;
}): Progress {
  let shownAtMs = 0;
  let told = 0;

  return {
    show({ dayMs: nowMs, reads, latest }) {
      const part = nowMs / dayMs;
      const realMs = Date.now();
      const isDue = output.hasStatus ? realMs - shownAtMs >= frameMs : Math.floor(part * linesPerDay) > told;
      if (!isDue) return;
      shownAtMs = realMs;
      told = Math.floor(part * linesPerDay);
      const speed = nowMs / Math.max(realMs - begunAtMs, 1);
      const truth = latest ? `, ${percent(latest.withinReach)} at their place` : '';
      const text = `${reads.toLocaleString('en')} reads${truth}, ${speed.toFixed(0)} times as fast as life`;
      if (output.hasStatus) output.status(`${wallClock(nowMs)}  ${bar(part)}  ${text}`);
      else output.line(`${wallClock(nowMs)}  ${(part * 100).toFixed(0).padStart(3)} %  ${text}`);
    },
  };
}

function bar(part: number): string {
  const full = Math.round(part * barWidth);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}

/** The share of assets that were reported at their place. */
function percent({ assets, atTheirPlace }: Tally): string {
  return assets === 0 ? '–' : `${((100 * atTheirPlace) / assets).toFixed(1)} %`;
}
