import type { ListOf } from './lists.js';

/** JSON texts of items of a page, as many as are in memory at once. */
type Pieces = AsyncIterable<readonly string[]>;

/** The items of a page. */
export type PagePieces = {
  read(): Pieces;
  /** What is in memory of the page until it is written, besides one piece. */
  bytes: number;
};

const piecesKey = Symbol('pieces');

/**
 * Returns a page whose items are read while it is written, since all of them together would take too much memory. Its
 * `data` is empty; `piecesOf` returns the items.
 */
export function pageInPieces<Item>(page: Omit<ListOf<Item>, 'data'>, pieces: PagePieces): ListOf<Item> {
  return Object.assign({ data: [], ...page }, { [piecesKey]: pieces });
}

/** Returns the items of a page in pieces, or undefined for any other result. */
export function piecesOf(result: unknown): PagePieces | undefined {
  return (result as { [piecesKey]?: PagePieces } | undefined)?.[piecesKey];
}
