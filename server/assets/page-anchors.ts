import { LRUCache } from 'lru-cache';

// Positions at which pages of the assets list at large offsets begin. Without them such a page skips all index entries before it. A
// client that reads page after page would skip them again and again, so each process remembers some keys with the
// number of rows before them. They are valid until an asset of the organization is created, deleted, renamed or flagged
// as expired: then `version` changes, and the statement that reads the page compares it.
// docs/decisions/0031-remembered-keys.md has the reasons.

/** A key of the list by key, with the number of rows before it. */
export type Anchor = {
  /** The sum of `row_counts.changes` when it was read. It only grows. */
  version: number;
  position: number;
  externalKey: string;
};

/** The order of a list by key. */
export type KeyOrder = { orgId: number; descending: boolean };

export type PageAnchors = {
  /** Returns the nearest anchor at or before an offset. */
  before(order: KeyOrder, offset: number): Anchor | undefined;
  add(order: KeyOrder, anchor: Anchor): void;
};

/** Fewer index entries than this are skipped faster than an anchor would be worth. */
const spacing = 1000;

/** Orders that are remembered; the least recently used one is dropped. */
const ordersMax = 500;

/** Anchors of one order, enough for a million assets. */
const anchorsMax = 1000;

type Anchors = { version: number; sorted: Anchor[] };

export function createPageAnchors(): PageAnchors {
  const orders = new LRUCache<string, Anchors>({ max: ordersMax });
  const keyOf = ({ orgId, descending }: KeyOrder) => `${orgId} ${descending}`;

  return {
    before(order, offset) {
      const { sorted = [] } = orders.get(keyOf(order)) ?? {};
      return sorted[countUpTo(sorted, offset) - 1];
    },
    add(order, anchor) {
      let known = orders.get(keyOf(order));
      if (!known || known.version < anchor.version) {
        known = { version: anchor.version, sorted: [] };
        orders.set(keyOf(order), known);
      }
      const { version, sorted } = known;
      const at = countUpTo(sorted, anchor.position);
      const isNear = anchor.position - (sorted[at - 1]?.position ?? 0) < spacing;
      if (version === anchor.version && !isNear && sorted.length < anchorsMax) sorted.splice(at, 0, anchor);
    },
  };
}

/** Returns how many anchors are at or before a position. */
function countUpTo(sorted: readonly Anchor[], position: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.position ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
