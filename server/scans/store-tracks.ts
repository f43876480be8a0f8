import { type AssetTrack, finishTrack, spansOf } from './asset-track.js';
import type { StatementRunner } from '../database/statement.js';
import { correctVisits, readHistory, type VisitCorrection } from './history-queries.js';
import type { ReaderChanges, ScanChanges } from './scan-changes.js';
import { storeChanges, type StoredRow } from './storage-queries.js';

/** Somebody else has just stored the first position of an asset, or deleted the asset: the batch is to be tried again. */
export class OvertakenError extends Error {
  constructor() {
    super('an asset was seen for the first time, or deleted, at the same time');
    this.name = 'OvertakenError';
  }
}

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
  const row = await storeChanges(runner, changes, { readers, isRepeatable });
  if (row.stored_positions !== changes.positions.length) throw new OvertakenError();
  if (corrections.length > 0) await correctVisits(runner, corrections);
  return row;
}
