import { portOf, readerOf } from '../../locating/index.js';
import type { AntennaKey, LocationId } from '../../locating/types.js';
import type { LoggedEvent } from './event-log.js';
import type { ScanChanges } from './scan-changes.js';

/** A change of the decided location; 0 means no location. */
export type DecidedMove = {
  from: LocationId;
  to: LocationId;
  /** The first read at the new location; null for a handheld scan. */
  beganAtMs: number | null;
  /** The deciding read or scan, which comes after all events that were known then. */
  seenAtMs: number;
  /** When the move is reported to have happened. */
  atMs: number;
  /** The antenna whose read decided; 0 for a handheld scan. */
  decidedBy: AntennaKey;
};

type Moved = { moves: DecidedMove[] | undefined };

/** Records that the decided location changed. */
export function addMove(track: Moved, move: DecidedMove): void {
  if (track.moves) track.moves.push(move);
  else track.moves = [move];
}

/** Sets the time of the move that begins a visit to the arrival of the visit. */
export function dateMoves(moves: readonly DecidedMove[], arrival: LoggedEvent): void {
  for (const move of moves) {
    const isArrival = arrival.atMs === move.beganAtMs || arrival.atMs === move.seenAtMs;
    if (isArrival && arrival.location === move.to) move.atMs = arrival.atMs;
  }
}

/** Adds the moves of a track to the moves that are reported to rules and webhooks. */
export function reportMoves(
  { orgId, assetId, moves }: Moved & { orgId: number; assetId: number },
  changes: ScanChanges,
): void {
  for (const { from, to, atMs, decidedBy } of moves ?? []) {
    const isByHand = decidedBy === 0;
    const readerId = isByHand ? null : readerOf(decidedBy);
    const antenna = isByHand ? null : portOf(decidedBy);
    changes.moves.push({ orgId, assetId, from, to, atMs, readerId, antenna });
  }
}
