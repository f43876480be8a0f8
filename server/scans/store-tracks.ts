import { type AssetTrack, finishTrack, spansOf } from './asset-track.js';
import type { StatementRunner } from '../database/statement.js';
import { correctVisits, readHistory, type VisitCorrection } from './history-queries.js';
import type { ReaderChanges, ScanChanges } from './scan-changes.js';
import { storeChanges, type StoredRow } from './storage-queries.js';

export type StoreTracksOptions = {
  unknown: ScanChanges['unknown'];
  readers?: ReaderChanges;
  /** Whether events that are stored already are passed over. */
  isRepeatable: boolean;
  /** Whether nothing that positions know of events is believed. */
  lookUpAll: boolean;
};

/**
 * Stores what tracks have gathered: which sightings are events, where assets are, and their visits.
 *
 * @throws OvertakenError where the transaction is to be tried again
 */
export async function storeTracks(
  runner: StatementRunner,
  tracks: readonly AssetTrack[],
  { unknown, readers, isRepeatable, lookUpAll }: StoreTracksOptions,
): Promise<StoredRow> {
  const changes: ScanChanges = { positions: [], events: [], visitStarts: [], visitEnds: [], unknown };
  const spans = tracks.map((track) => spansOf(track, { everything: lookUpAll }));
  const asked = spans.flat();
  const histories = asked.length > 0 ? await readHistory(runner, asked) : undefined;
  const corrections: VisitCorrection[] = [];
  for (const [index, track] of tracks.entries()) {
    const isAsked = (spans[index]?.length ?? 0) > 0;
    const history = isAsked ? (histories?.get(track.assetId) ?? []) : undefined;
    const correction = finishTrack(track, history, changes);
    if (correction) corrections.push(correction);
  }
  changes.positions.sort((one, other) => one.assetId - other.assetId);
  const isLast = corrections.length === 0;
  const row = await storeChanges(runner, changes, { readers, isRepeatable, isLast });
  if (!isLast) await correctVisits(runner, corrections);
  return row;
}
