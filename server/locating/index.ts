export { effectiveMs } from './clock.js';
export { decide } from './decide.js';
export { decodeState, encodeState, writeState } from './encode.js';
export { type Evidence, explain } from './explain.js';
export { decideHandheld } from './handheld.js';
export { createKnowledge, type Knowledge } from './knowledge.js';
export type { SignatureRow } from './learning.js';
export type { LevelRow } from './levels.js';
export type * from './types.js';
