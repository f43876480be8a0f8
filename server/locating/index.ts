export { type Clock, type ClockSample, createClock, effectiveMs, observeClock } from './clock.js';
export { decide } from './decide.js';
export { decodeState, encodeState } from './encode.js';
export { describeReason, type Evidence, explain, type Explanation } from './explain.js';
export { decideHandheld } from './handheld.js';
export { createKnowledge, type Knowledge, type LevelRow, type SignatureRow } from './knowledge.js';
export type * from './types.js';
