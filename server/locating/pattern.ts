import { labelWeight, patternReadsFull } from './constants.js';
import type { LocationId, Observation } from './types.js';

/** What the antennas observed during one visit, with the candidate locations. */
export type Pattern = {
  /** The same for all patterns of one visit: the last one counts. */
  key: string;
  observations: readonly Observation[];
  /** The only candidate if the location is known from a label. */
  candidates: readonly LocationId[];
  isLabel: boolean;
  weight: number;
};

/** Creates a pattern of observations; without a label it may have been at the location of any antenna that read it. */
export function createPattern(
  key: string,
  observations: readonly Observation[],
  label: LocationId | null,
): Pattern | undefined {
  const candidates = label === null ? [] : [label];
  if (label === null) {
    for (const { location, reads } of observations) {
      if (reads > 0 && location !== 0 && !candidates.includes(location)) candidates.push(location);
    }
  }
  if (candidates.length === 0) return undefined;
  return {
    key,
    observations,
    candidates,
    isLabel: label !== null,
    weight: (label === null ? 1 : labelWeight) * worthOf(observations),
  };
}

/** Returns the weight of a visit: few reads show little of which antennas read the asset there. */
function worthOf(observations: readonly Observation[]): number {
  let most = 0;
  for (const { reads } of observations) most = Math.max(most, reads);
  return Math.min(1, most / patternReadsFull);
}
