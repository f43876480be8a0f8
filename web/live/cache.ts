import type { Query, QueryClient } from '@tanstack/react-query';
import { queriesOf } from '../api/query-references.js';
import type { Trpc } from '../api/trpc.js';
import type { LiveContainment, LiveListener, LivePosition, OpenCount } from './hub.js';
import { newLocations, patchContainers, type Path, patchRows } from './patches.js';

/** The queries that changes concern. */
function liveQueries(trpc: Trpc) {
  return {
    /** Lists whose rows show where an asset is; they are changed without reordering. */
    isPatched: queriesOf(trpc.assets.table, trpc.locations.contents),
    /** Queries that moves change in other ways; reloaded at intervals while they are shown. */
    isCounted: queriesOf(trpc.home.summary),
    /** Queries of one asset; reloaded when that asset has moved. */
    isOfOneAsset: queriesOf(trpc.assets.detail, trpc.assets.visits, trpc.floorPlans.findAsset),
    /** Queries of what an asset holds or is in; reloaded when that has changed. */
    isOfContainments: queriesOf(trpc.containers.summary, trpc.containers.contents, trpc.containers.past),
    isOpenCount: queriesOf(trpc.alerts.openCount),
    /** Queries that show alerts, besides their count. */
    isOfAlerts: queriesOf(trpc.alerts.list, trpc.alerts.get),
    /** If it is unknown what has changed, everything of these nouns may have changed. */
    isLive: queriesOf(
      trpc.assets,
      trpc.containers,
      trpc.locations,
      trpc.floorPlans,
      trpc.home,
      trpc.reports,
      trpc.scans,
      trpc.readers,
      trpc.alerts,
    ),
  };
}

/** Lists of alerts are reloaded this long after the first of several changes, and not more often. */
const alertsAfterMs = 300;
const alertsEveryMs = 3000;
const countAfterMs = 400;
const countEveryMs = 4000;
/** The service may return slightly old counts, so they are reloaded once more after the last change. */
const settledMs = 6000;
/** A response that was in flight when a change was received may be older than the change. */
const rememberedMs = 10_000;
/** How long the path of a location is cached. Changes of the tree are not received here. */
const pathFreshMs = 60_000;

export type LiveCacheOptions = {
  queryClient: QueryClient;
  trpc: Trpc;
  /** The path of a location, and how to load it if it is not cached. */
  findPath: (locationId: number) => Promise<Path>;
};

export type LiveCache = { listener: LiveListener; stop(): void };

/** Applies changes that the service reports to the cached answers that are shown. */
export function createLiveCache({ queryClient, trpc, findPath }: LiveCacheOptions): LiveCache {
  const { isPatched, isCounted, isOfOneAsset, isOfContainments, isOpenCount, isOfAlerts, isLive } = liveQueries(trpc);
  const recent = new Map<number, { position: LivePosition; untilMs: number }>();
  const recentlyContained = new Map<number, { containers: LiveContainment['containers']; untilMs: number }>();
  const paths = new Map<number, { path: Path | null; untilMs: number }>();
  const asked = new Set<number>();
  let countTimer: ReturnType<typeof setTimeout> | undefined;
  let settleTimer: ReturnType<typeof setTimeout> | undefined;
  let alertsTimer: ReturnType<typeof setTimeout> | undefined;
  let countedAtMs = 0;
  let alertsReadAtMs = Number.NEGATIVE_INFINITY;

  const queries = () => queryClient.getQueryCache().getAll();

  /** Changes an answer without making it look newer than it is. */
  function change(query: Query, patch: (data: unknown) => unknown): void {
    const { data, isInvalidated, dataUpdatedAt: updatedAt } = query.state;
    if (data === undefined || isInvalidated) return;
    const next = patch(data);
    if (next !== data) queryClient.setQueryData(query.queryKey, next, { updatedAt });
  }

  function knownPath(locationId: number): Path | null | undefined {
    const known = paths.get(locationId);
    return known && known.untilMs > performance.now() ? known.path : undefined;
  }

  /**
   * Rows are changed once the path of the new location is known, since a line that is added later would move the rows
   * below.
   */
  function patch(query: Query, changes: ReadonlyMap<number, LivePosition>): void {
    if (!isPatched(query)) return;
    const ready = new Map(changes);
    for (const { assetId, locationId } of newLocations(query.state.data, changes)) {
      if (knownPath(locationId) !== undefined) continue;
      ready.delete(assetId);
      void learnPath(locationId);
    }
    change(query, (data) => patchRows(data, ready, (id) => knownPath(id) ?? undefined));
  }

  function patchRecent(query: Query): void {
    patch(query, new Map(Array.from(recent, ([id, { position }]) => [id, position])));
  }

  function patchRecentlyContained(query: Query): void {
    const nowMs = performance.now();
    for (const [id, { untilMs }] of recentlyContained) if (untilMs < nowMs) recentlyContained.delete(id);
    if (recentlyContained.size === 0 || !isPatched(query)) return;
    const changes = new Map(Array.from(recentlyContained, ([id, { containers }]) => [id, containers]));
    change(query, (data) => patchContainers(data, changes));
  }

  async function learnPath(locationId: number): Promise<void> {
    if (asked.has(locationId)) return;
    asked.add(locationId);
    // If it cannot be loaded, only the name is shown.
    const path = await findPath(locationId).catch(() => null);
    asked.delete(locationId);
    paths.set(locationId, { path, untilMs: performance.now() + pathFreshMs });
    for (const query of queries()) patchRecent(query);
  }

  function countAgain(): void {
    clearTimeout(settleTimer);
    countTimer ??= setTimeout(
      () => {
        countTimer = undefined;
        countedAtMs = performance.now();
        recount();
        settleTimer = setTimeout(recount, settledMs);
      },
      Math.max(countAfterMs, countedAtMs + countEveryMs - performance.now()),
    );
  }

  function recount(): void {
    void queryClient.invalidateQueries({ predicate: isCounted });
  }

  /** Sets the count in the cache; a response in flight may be older. */
  function showCount(open: OpenCount): void {
    for (const { queryKey } of queries().filter(isOpenCount)) {
      void queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, open);
    }
  }

  function alertsAgain(): void {
    alertsTimer ??= setTimeout(
      () => {
        alertsTimer = undefined;
        alertsReadAtMs = performance.now();
        void queryClient.invalidateQueries({ predicate: isOfAlerts });
      },
      Math.max(alertsAfterMs, alertsReadAtMs + alertsEveryMs - performance.now()),
    );
  }

  const unwatch = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    if (recent.size > 0) patchRecent(event.query as Query);
    patchRecentlyContained(event.query as Query);
  });

  return {
    listener: {
      onPositions(positions, moved) {
        const nowMs = performance.now();
        for (const [id, { untilMs }] of recent) if (untilMs < nowMs) recent.delete(id);
        for (const position of positions) {
          recent.set(position.asset_id, { position, untilMs: nowMs + rememberedMs });
        }
        const changes = new Map(positions.map((position) => [position.asset_id, position]));
        for (const query of queries()) patch(query, changes);
        if (moved.length === 0) return;
        const movedIds = new Set<unknown>(moved.map(({ asset_id: id }) => id));
        void queryClient.invalidateQueries({
          predicate: (query) => isOfOneAsset(query) && movedIds.has(inputOf(query)['asset_id']),
        });
        countAgain();
      },
      onContained(contained) {
        const untilMs = performance.now() + rememberedMs;
        for (const { asset_id: id, containers } of contained) recentlyContained.set(id, { containers, untilMs });
        for (const query of queries()) patchRecentlyContained(query);
        const ids = new Set<unknown>(contained.map(({ asset_id: id }) => id));
        void queryClient.invalidateQueries({
          predicate: (query) => {
            const { asset_id: assetId, container_id: containerId } = inputOf(query);
            return (isOfOneAsset(query) || isOfContainments(query)) && (ids.has(assetId) || ids.has(containerId));
          },
        });
      },
      onAlerts(open) {
        if (open) showCount(open);
        else void queryClient.invalidateQueries({ predicate: isOpenCount });
        alertsAgain();
      },
      onResync() {
        // Renames of locations and moves in the tree were not received meanwhile either.
        paths.clear();
        void queryClient.invalidateQueries({ predicate: isLive });
      },
    },
    stop() {
      unwatch();
      clearTimeout(countTimer);
      clearTimeout(settleTimer);
      clearTimeout(alertsTimer);
    },
  };
}

function inputOf({ queryKey }: Query): Record<string, unknown> {
  const [, options] = queryKey as [unknown, { input?: Record<string, unknown> } | undefined];
  return options?.input ?? {};
}
