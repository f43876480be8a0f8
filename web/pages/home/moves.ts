import type { LivePosition } from '../../live/hub.js';

/** The moves on the page, and the moves that are kept for filtering. */
export const movesShown = 50;
export const movesKept = 200;

/** A move is an asset since an instant: the same move can be received twice. */
export function moveKey({ asset_id: id, located_since: since }: LivePosition): string {
  return `${id} ${since}`;
}

/** Merges both lists, the latest move first, each move once, up to the number that is kept. */
export function mergeMoves(one: readonly LivePosition[], other: readonly LivePosition[]): LivePosition[] {
  const moves = new Map([...other, ...one].map((move) => [moveKey(move), move]));
  return [...moves.values()]
    .sort((a, b) => (a.located_since < b.located_since ? 1 : a.located_since > b.located_since ? -1 : 0))
    .slice(0, movesKept);
}

/** Returns whether each word of a filter is part of the asset's name or key, or of one of the two locations. */
export function moveMatches(move: LivePosition, filter: string): boolean {
  const { asset_name, asset_external_key, location_name, from_location_name } = move;
  const text = [asset_name, asset_external_key, location_name, from_location_name].join('\n').toLocaleLowerCase();
  return filter
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
