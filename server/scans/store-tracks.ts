import { type AssetTrack, finishTrack, needsNewestVisit, spansOf } from './asset-track.js';
import type { StatementRunner } from '../database/statement.js';
import type { EventInterests } from '../events/interests.js';
import { recordScanEvents } from '../events/record-scan-events.js';
import {
  correctVisits,
  type HistorySpan,
  readHistory,
  readNewestVisits,
  type VisitCorrection,
} from './history-queries.js';
import { rewriteReplacedMoves } from './replaced-moves.js';
import { createChanges, type ScanChanges } from './scan-changes.js';
import { storeChanges, type StoredRow, type StoreOptions } from './storage-queries.js';

/** The organizations that have a use for events, and the user who submitted the scans with a handheld. */
export type Outbound = { interests: Pick<EventInterests, 'wants'>; userId: number | null };

export type TrackStoreOptions = Pick<StoreOptions, 'unknown'> &
  Partial<Pick<StoreOptions, 'readers'>> & {
    /** Without it no events are written for rules and webhooks. */
    outbound?: Outbound | undefined;
  };

/** Collects the tracks of one transaction: the sightings that are events, the positions, and the visits. */
export type TrackStore = {
  /** Adds a track with all its reads. It is not kept, unless its history has to be looked up. */
  add(track: AssetTrack): void;
  /** @throws OvertakenError if the transaction has to be repeated */
  store(runner: StatementRunner, options: TrackStoreOptions): Promise<StoredRow>;
};

/**
 * Creates a store of tracks.
 *
 * @param isRepeatable whether events that are stored already are skipped
 * @param lookUpAll whether to look up all events and ignore what positions record of them
 */
export function createTrackStore({
  isRepeatable,
  lookUpAll,
}: {
  isRepeatable: boolean;
  lookUpAll: boolean;
}): TrackStore {
  const changes = createChanges();
  const historyLookups: { track: AssetTrack; spans: readonly HistorySpan[] }[] = [];
  let hasLateSightings = false;

  function add(track: AssetTrack): void {
    hasLateSightings ||= track.lateSightings !== undefined;
    const spans = spansOf(track, { everything: lookUpAll });
    if (spans.length > 0 || needsNewestVisit(track) || track.replaced) historyLookups.push({ track, spans });
    else finishTrack(track, undefined, changes);
  }

  async function finishWithHistory(runner: StatementRunner): Promise<VisitCorrection[]> {
    if (historyLookups.length === 0) return [];
    await rewriteReplacedMoves(
      runner,
      historyLookups.map(({ track }) => track),
    );
    const spansOfAll = historyLookups.flatMap(({ spans }) => spans);
    const histories = spansOfAll.length === 0 ? undefined : await readHistory(runner, spansOfAll);
    await lookUpNewestVisits(runner);
    return historyLookups.flatMap(({ track, spans }) => {
      const history = spans.length === 0 ? undefined : (histories?.get(track.assetId) ?? []);
      return finishTrack(track, history, changes) ?? [];
    });
  }

  async function lookUpNewestVisits(runner: StatementRunner): Promise<void> {
    const tracks = historyLookups.map(({ track }) => track).filter(needsNewestVisit);
    if (tracks.length === 0) return;
    const visits = await readNewestVisits(runner, tracks);
    for (const track of tracks) track.newestVisitMs = visits.get(track.assetId);
  }

  async function store(runner: StatementRunner, { outbound, unknown, readers }: TrackStoreOptions): Promise<StoredRow> {
    const corrections = await finishWithHistory(runner);
    if (outbound) await recordOutbound(runner, outbound, { changes, unknown });
    const isLast = corrections.length === 0;
    const row = await storeChanges(runner, changes, {
      unknown,
      readers,
      isRepeatable: isRepeatable || hasLateSightings,
      isLast,
    });
    if (!isLast) await correctVisits(runner, corrections);
    return row;
  }

  return { add, store };
}

/** Writes the events for rules and webhooks of organizations that have any. */
function recordOutbound(
  runner: StatementRunner,
  { interests, userId }: Outbound,
  { changes, unknown }: { changes: ScanChanges; unknown: StoreOptions['unknown'] },
): Promise<void> {
  const moves = changes.moves
    .filter(({ orgId }) => interests.wants(orgId, 'asset.location_changed'))
    .map((move) => ({ ...move, userId }));
  const reads = unknown
    .filter(({ orgId }) => interests.wants(orgId, 'tag.unknown'))
    .map(({ firstMs, ...read }) => ({ ...read, atMs: firstMs }));
  return recordScanEvents(runner, interests, { moves, unknown: reads });
}
