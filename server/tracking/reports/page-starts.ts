import { epochMs } from '../../kernel/database/columns.js';
import { isInsideWindow, positionsOutsideWindow } from '../../kernel/database/counts.js';
import { anchorSpacing, createPageAnchors, type ListOrder, nameOf } from '../../kernel/database/page-anchors.js';
import { directionOf, firstPositions, type PositionKey, shown } from '../../kernel/database/position-order.js';
import type { Queries } from '../../kernel/database/client.js';

/** Where a page begins: at a key, or at the beginning of the order, and how many positions it skips from there. */
export type PageStart = { key: PositionKey | undefined; skip: number };

export type ReportStarts = {
  /**
   * Returns where the page at a large offset begins. The positions before it are counted at most once a second, so a
   * page may begin where this offset was up to `keptMs` ago.
   */
  startOf(db: Queries, order: ListOrder, offset: number): Promise<PageStart>;
};

/** Up to this offset, pages skip the positions before them, and so begin at the present offset. */
export const skippedMax = 10_000;

/** Keys are used for this long, and read again in the background after half of this time. */
const keptMs = 2000;

const distanceMax = 2 * anchorSpacing;

type KeyRow = { position: number; last_seen: number; asset_id: number };

/** Creates the remembered keys of the report in the order of the last sighting, by `now` in epoch milliseconds. */
export function createReportStarts(now: () => number = Date.now): ReportStarts {
  const anchors = createPageAnchors<PositionKey>();
  const passes = new Map<string, Promise<void>>();

  /** Returns the nearest key that is still valid. */
  function nearest(order: ListOrder, offset: number) {
    const anchor = anchors.before(order, offset);
    return anchor && now() - anchor.version < keptMs ? anchor : undefined;
  }

  /**
   * Reads keys up to an offset, from the nearest valid key or from the beginning, unless the order is already being
   * read.
   */
  function pass(db: Queries, request: { order: ListOrder; offset: number; isRefresh: boolean }): Promise<void> {
    const name = nameOf(request.order);
    const underWay = passes.get(name) ?? readKeys(db, request).finally(() => passes.delete(name));
    passes.set(name, underWay);
    return underWay;
  }

  async function readKeys(
    db: Queries,
    { order, offset, isRefresh }: { order: ListOrder; offset: number; isRefresh: boolean },
  ): Promise<void> {
    const { orgId, descending } = order;
    const from = isRefresh ? undefined : nearest(order, offset);
    const version = from?.version ?? now();
    const direction = directionOf(descending);
    const count = offset - (from?.position ?? 0) + 1;
    const rows = await db.$queryRaw<KeyRow[]>`
      WITH ${positionsOutsideWindow(orgId, { includeDeleted: false })}
      SELECT ${from?.position ?? 0}::float8 + k.n - 1 AS position, ${epochMs('k.asset_last_seen')} AS last_seen, k.asset_id
        FROM (SELECT p.asset_last_seen, p.asset_id, row_number() OVER (ORDER BY p.asset_last_seen ${direction}, p.asset_id) AS n
                FROM (${firstPositions(orgId, {
                  descending,
                  states: [shown],
                  conditions: [isInsideWindow],
                  start: from?.key,
                  count,
                })}) p
               ORDER BY p.asset_last_seen ${direction}, p.asset_id
               LIMIT ${count}::bigint) k
       WHERE k.n % ${anchorSpacing}::int = 1
       ORDER BY k.n`;
    for (const { position, last_seen: lastSeenMs, asset_id: assetId } of rows) {
      anchors.add(order, { version, position, key: { lastSeenMs, assetId } });
    }
  }

  return {
    async startOf(db, order, offset) {
      let anchor = nearest(order, offset);
      // The first awaited pass may belong to another page.
      for (let tries = 0; tries < 2 && (!anchor || offset - anchor.position >= distanceMax); tries += 1) {
        await pass(db, { order, offset, isRefresh: false });
        anchor = nearest(order, offset);
      }
      if (!anchor) return { key: undefined, skip: offset };
      if (now() - anchor.version > keptMs / 2) {
        // The request of the page does not wait for it, and may end first.
        pass(db, { order, offset, isRefresh: true }).catch(() => undefined);
      }
      return { key: anchor.key, skip: offset - anchor.position };
    },
  };
}
