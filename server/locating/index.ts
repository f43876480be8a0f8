// The entry points: `judge` and `judgeScan` return the next state of an asset, `encodeState` and `decodeState` turn it into
// text, and a site holds everything else that decisions depend on.
export { antennaKey, portOf, readerOf } from './antenna-key.js';
export { type Clock, createClock, effectiveMs, observeClock } from './clock.js';
export { decodeState, encodeState } from './encode.js';
export { explain, type Standing } from './explain.js';
export { judge, judgeScan } from './judge.js';
export type { PictureRow } from './pictures.js';
export { createSite, type Site } from './site.js';
export { freshState } from './state.js';
export type * from './types.js';
