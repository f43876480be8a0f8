import type { Dwell, Layout } from './layout.js';
import type { Random } from './random.js';

/** An asset is at a location from one instant until another, in epoch milliseconds; location 0 is outside of all of them. */
export type Visit = { location: number; fromMs: number; untilMs: number };

/** Simulates where each asset is from start to end: the moves of its layout, with its dwell times. */
export function simulateVisits(
  layout: Layout,
  { assets, startMs, endMs }: { assets: number; startMs: number; endMs: number },
  random: Random,
): Visit[][] {
  return Array.from({ length: assets }, () => {
    const visits: Visit[] = [];
    let location = drawFirst(layout, random);
    // The first visit began before the measured time.
    let untilMs = startMs + random.fraction() * drawDwell(layout.dwell[location] ?? [], random);
    let fromMs = startMs;
    while (fromMs < endMs) {
      visits.push({ location, fromMs, untilMs: Math.min(untilMs, endMs) });
      location = drawMove(layout.moves[location] ?? [], random);
      fromMs = untilMs;
      untilMs = fromMs + drawDwell(layout.dwell[location] ?? [], random);
    }
    return visits;
  });
}

/** Any location but a portal. */
function drawFirst({ antennas, locations }: Layout, random: Random): number {
  for (;;) {
    const location = 1 + Math.floor(random.fraction() * locations);
    if (!antennas.some((antenna) => antenna.location === location && antenna.kind === 'portal')) return location;
  }
}

function drawMove(chances: readonly number[], random: Random): number {
  let left = random.fraction();
  for (let location = 0; location < chances.length; location += 1) {
    left -= chances[location] ?? 0;
    if (left < 0) return location;
  }
  throw new RangeError('the chances of moves add up to less than one');
}

function drawDwell(dwell: Dwell, random: Random): number {
  let left = random.fraction();
  for (const { share, minMs, maxMs } of dwell) {
    left -= share;
    if (left < 0) return Math.round(random.uniform(minMs, maxMs));
  }
  throw new RangeError('the shares of dwell times add up to less than one');
}
