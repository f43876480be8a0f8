import { longWorlds } from './long-worlds.js';
import { parkedWorlds } from './parked-worlds.js';
import { shortWorlds } from './short-worlds.js';
import type { WorldSpec } from './world-spec.js';

/** All simulated worlds, in the order of the report. */
export const worlds: readonly WorldSpec[] = [...longWorlds, ...shortWorlds, ...parkedWorlds];
