import type { Progress } from '../start/steps.js';

/** Returns whether some of the first steps are open and not dismissed. */
export function hasOpenSteps({ has_asset, has_live_reader, has_colleague, has_ended }: Progress): boolean {
  return !has_ended && !(has_asset && has_live_reader && has_colleague);
}
