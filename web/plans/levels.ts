import { numberText } from '../ui/quantity.js';

/** Colors of load: 0 is empty, 4 the fullest. */
export const levelsMax = 4;

/** Returns the level of a count, relative to the largest count on the plan. */
export function levelOf(count: number, largest: number): number {
  if (count === 0 || largest === 0) return 0;
  return Math.min(levelsMax, Math.ceil((count / largest) * levelsMax));
}

export type LevelRange = { level: number; from: number; to: number };

/** Returns the counts of each level; levels without a whole number are left out. */
export function levelRanges(largest: number): LevelRange[] {
  const ranges: LevelRange[] = [{ level: 0, from: 0, to: 0 }];
  let from = 1;
  for (let level = 1; level <= levelsMax && from <= largest; level += 1) {
    const to = Math.floor((largest * level) / levelsMax);
    if (to < from) continue;
    ranges.push({ level: levelOf(to, largest), from, to });
    from = to + 1;
  }
  return ranges;
}

export function rangeText({ from, to }: LevelRange): string {
  return from === to ? numberText(from) : `${numberText(from)}–${numberText(to)}`;
}
