import { addChanges, type AssetTrack, needsNewestVisit, spansOf } from './asset-track.js';
import type { StatementRunner } from '../../kernel/database/statement.js';
import type { EventInterests } from '../../notifying/events/interests.js';
import { recordScanEvents } from '../../notifying/events/record-scan-events.js';
import {
  correctVisits,
  type HistorySpan,
  readHistory,
  readNewestVisits,
  type VisitCorrection,
} from './history-queries.js';
import { createChanges, type ScanChanges } from './scan-changes.js';
import { storeChanges, type StoredRow, type StoreOptions } from './storage-queries.js';

// Decides, announces and stores the reads and scans of assets: the last steps of a batch, and of a handheld's scans.

/** The changes that the tracks of a transaction need. */
export type DecidedTracks = {
  changes: ScanChanges;
  /** Past visits that have to be corrected afterwards. */
  corrections: VisitCorrection[];
  /** Whether some events were not compared with the history, so that they may be stored already. */
  hasLateSightings: boolean;
};

/**
 * Begins to decide which sightings are events, and how positions and visits change. `add` decides a track with all its
 * reads, and keeps the track only if its history has to be looked up. `finish` looks up the history of the kept tracks.
 *
 * @param lookUpAll whether to look up all events and ignore which events positions record
 */
export function decideEvents({ lookUpAll }: { lookUpAll: boolean }) {
  const changes = createChanges();
  const kept: { track: AssetTrack; spans: readonly HistorySpan[] }[] = [];
  let hasLateSightings = false;

  function add(track: AssetTrack): void {
    hasLateSightings ||= track.lateSightings !== undefined;
    const spans = spansOf(track, { everything: lookUpAll });
    if (spans.length > 0 || needsNewestVisit(track)) kept.push({ track, spans });
    else addChanges(track, undefined, changes);
  }

  async function finish(runner: StatementRunner): Promise<DecidedTracks> {
    const corrections = kept.length === 0 ? [] : await decideAmidHistory(runner);
    return { changes, corrections, hasLateSightings };
  }

  async function decideAmidHistory(runner: StatementRunner): Promise<VisitCorrection[]> {
    const tracks = kept.map(({ track }) => track);
    const histories = await readHistory(
      runner,
      kept.flatMap(({ spans }) => spans),
    );
    await lookUpNewestVisits(runner, tracks.filter(needsNewestVisit));
    return kept.flatMap(({ track, spans }) => {
      const history = spans.length === 0 ? undefined : (histories.get(track.assetId) ?? []);
      return addChanges(track, history, changes) ?? [];
    });
  }

  return { add, finish };
}

async function lookUpNewestVisits(runner: StatementRunner, tracks: readonly AssetTrack[]): Promise<void> {
  const visits = await readNewestVisits(runner, tracks);
  for (const track of tracks) track.newestVisitMs = visits.get(track.assetId);
}

/** The organizations that use events, and the user who submitted the scans with a handheld. */
export type Outbound = { interests: Pick<EventInterests, 'wants'>; userId: number | null };

/** Writes the events for rules and webhooks of organizations that have any. */
export async function announceEvents(
  runner: StatementRunner,
  outbound: Outbound | undefined,
  { changes, unknown }: Pick<DecidedTracks, 'changes'> & Pick<StoreOptions, 'unknown'>,
): Promise<void> {
  if (!outbound) return;
  const { interests, userId } = outbound;
  const moves = changes.moves
    .filter(({ orgId }) => interests.wants(orgId, 'asset.location_changed'))
    .map((move) => ({ ...move, userId }));
  const reads = unknown
    .filter(({ orgId }) => interests.wants(orgId, 'tag.unknown'))
    .map(({ firstMs, ...read }) => ({ ...read, atMs: firstMs }));
  await recordScanEvents(runner, interests, { moves, unknown: reads });
}

/**
 * Stores what was decided, and notifies live views when the transaction commits.
 *
 * @param isRepeatable whether events that are stored already are skipped
 * @throws OvertakenError if the transaction has to be repeated
 */
export function storeTracks(
  runner: StatementRunner,
  { changes, corrections, hasLateSightings }: DecidedTracks,
  { isRepeatable, isLast, ...rest }: StoreOptions,
): Promise<StoredRow> {
  const storing = storeChanges(runner, changes, {
    ...rest,
    isRepeatable: isRepeatable || hasLateSightings,
    isLast: isLast && corrections.length === 0,
  });
  return corrections.length === 0 ? storing : storing.then((row) => correctVisits(runner, corrections).then(() => row));
}
