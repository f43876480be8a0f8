import type { LivePosition } from '../../live/hub.js';

export const movesMax = 50;

/** A move is an asset since an instant: what is told twice is one. */
export function moveKey({ asset_id: id, located_since: since }: LivePosition): string {
  return `${id} ${since}`;
}

/** Both lists as one, the latest first, each move once and no more than are shown. */
export function mergeMoves(one: readonly LivePosition[], other: readonly LivePosition[]): LivePosition[] {
  const moves = new Map([...other, ...one].map((move) => [moveKey(move), move]));
  return [...moves.values()]
    .sort((a, b) => (a.located_since < b.located_since ? 1 : a.located_since > b.located_since ? -1 : 0))
    .slice(0, movesMax);
}
