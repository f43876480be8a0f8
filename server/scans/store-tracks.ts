import { type AssetTrack, finishTrack, spansOf } from './asset-track.js';
import type { StatementRunner } from '../database/statement.js';
import type { EventInterests } from '../events/interests.js';
import { type Move, recordScanEvents } from '../events/record-scan-events.js';
import { correctVisits, readHistory, type VisitCorrection } from './history-queries.js';
import type { ReaderChanges, ScanChanges } from './scan-changes.js';
import { storeChanges, type StoredRow } from './storage-queries.js';

/** The organizations that have a use for events, and the user who submitted the scans with a handheld. */
export type Outbound = { interests: Pick<EventInterests, 'wants'>; userId: number | null };

export type StoreTracksOptions = {
  unknown: ScanChanges['unknown'];
  readers?: ReaderChanges;
  /** Whether events that are stored already are skipped. */
  isRepeatable: boolean;
  /** Whether to look up all events and ignore what positions record of them. */
  lookUpAll: boolean;
  /** Without it no events are written for rules and webhooks. */
  outbound?: Outbound | undefined;
};

/**
 * Stores the results of tracks: the sightings that are events, the positions, and the visits.
 *
 * @throws OvertakenError if the transaction has to be repeated
 */
export async function storeTracks(
  runner: StatementRunner,
  tracks: readonly AssetTrack[],
  { unknown, readers, isRepeatable, lookUpAll, outbound }: StoreTracksOptions,
): Promise<StoredRow> {
  const spans = tracks.map((track) => spansOf(track, { everything: lookUpAll }));
  const asked = spans.flat();
  const histories = asked.length > 0 ? await readHistory(runner, asked) : undefined;
  const changes: ScanChanges = { positions: [], events: [], visitStarts: [], visitEnds: [], unknown };
  const corrections: VisitCorrection[] = [];
  for (const [index, track] of tracks.entries()) {
    const isAsked = (spans[index]?.length ?? 0) > 0;
    const history = isAsked ? (histories?.get(track.assetId) ?? []) : undefined;
    const correction = finishTrack(track, history, changes);
    if (correction) corrections.push(correction);
  }
  changes.positions.sort((one, other) => one.assetId - other.assetId);
  if (outbound) await recordOutbound(runner, tracks, { changes, outbound });
  const isLast = corrections.length === 0;
  const storing = storeChanges(runner, changes, { readers, isRepeatable, isLast });
  // Not awaited here, so that tracks and changes are released while the database works.
  return isLast ? storing : correctedAfter(storing, runner, corrections);
}

async function correctedAfter(
  storing: Promise<StoredRow>,
  runner: StatementRunner,
  corrections: readonly VisitCorrection[],
): Promise<StoredRow> {
  const row = await storing;
  await correctVisits(runner, corrections);
  return row;
}

/** Writes the events for rules and webhooks of organizations that have any. */
function recordOutbound(
  runner: StatementRunner,
  tracks: readonly AssetTrack[],
  { changes, outbound }: { changes: ScanChanges; outbound: Outbound },
): Promise<void> {
  const moves = movesOf(tracks, changes, outbound);
  const unknown = changes.unknown
    .filter(({ orgId }) => outbound.interests.wants(orgId, 'tag.unknown'))
    .map(({ firstMs, ...read }) => ({ ...read, atMs: firstMs }));
  return recordScanEvents(runner, outbound.interests, { moves, unknown });
}

/**
 * Returns the moves of assets whose organizations have a use for them: each visit that begins, with the one before it.
 */
function movesOf(tracks: readonly AssetTrack[], { visitStarts }: ScanChanges, { interests, userId }: Outbound): Move[] {
  const wanted = visitStarts.filter(({ orgId }) => interests.wants(orgId, 'asset.location_changed'));
  if (wanted.length === 0) return [];
  const byAsset = new Map(tracks.map((track) => [track.assetId, track]));
  const locations = new Map(tracks.map(({ assetId, position }) => [assetId, position?.location ?? 0]));
  return wanted.map(({ orgId, assetId, arrivedAtMs: atMs, location: to }): Move => {
    const track = byAsset.get(assetId);
    const from = locations.get(assetId) ?? 0;
    locations.set(assetId, to);
    const source = { readerId: track?.readerId ?? null, antenna: track?.antenna ?? null };
    return { orgId, assetId, from, to, atMs, ...source, userId };
  });
}
