import { LRUCache } from 'lru-cache';

// Where pages of a list at large offsets begin. Without anchors, reading such a page skips all index entries before it,
// and a client that reads page after page would skip the same entries again and again. So each process remembers some
// keys with the number of rows before them. The list decides how long a version is valid: the assets list until an
// asset is created, deleted, renamed or flagged as expired, the report for two seconds.
// docs/decisions/0031-remembered-keys.md has the reasons.

/** A key of a list, with the number of rows before it. */
export type Anchor<Key> = {
  /** A number that grows with each change of the list, or each time the list is read. */
  version: number;
  position: number;
  key: Key;
};

/** The order of a list. */
export type ListOrder = { orgId: number; descending: boolean };

export type PageAnchors<Key> = {
  /** Returns the nearest anchor at or before an offset. */
  before(order: ListOrder, offset: number): Anchor<Key> | undefined;
  /** Forgets the anchors of earlier versions. */
  add(order: ListOrder, anchor: Anchor<Key>): void;
};

/**
 * The minimum distance between two anchors. Skipping fewer index entries takes too little time to be worth an anchor.
 */
export const anchorSpacing = 1000;

/** Orders that are remembered; the least recently used one is dropped. */
const ordersMax = 500;

/** Anchors of one order, enough for a million rows. */
const anchorsMax = 1000;

type Anchors<Key> = { version: number; sorted: Anchor<Key>[] };

/** Returns a text that identifies an order. */
export function nameOf({ orgId, descending }: ListOrder): string {
  return `${orgId} ${descending}`;
}

export function createPageAnchors<Key>(): PageAnchors<Key> {
  const orders = new LRUCache<string, Anchors<Key>>({ max: ordersMax });

  return {
    before(order, offset) {
      const { sorted = [] } = orders.get(nameOf(order)) ?? {};
      return sorted[countUpTo(sorted, offset) - 1];
    },
    add(order, anchor) {
      let known = orders.get(nameOf(order));
      if (!known || known.version < anchor.version) {
        known = { version: anchor.version, sorted: [] };
        orders.set(nameOf(order), known);
      }
      const { version, sorted } = known;
      const at = countUpTo(sorted, anchor.position);
      const isNear = anchor.position - (sorted[at - 1]?.position ?? 0) < anchorSpacing;
      if (version === anchor.version && !isNear && sorted.length < anchorsMax) sorted.splice(at, 0, anchor);
    },
  };
}

/** Returns how many anchors are at or before a position. */
function countUpTo(sorted: readonly Pick<Anchor<unknown>, 'position'>[], position: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.position ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
