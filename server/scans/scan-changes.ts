import type { LocationId } from '../locating/types.js';
import type { ReadBatch } from './batch.js';
import type { NewEvent } from './event-log.js';

/** An asset's position as it is to be stored; locations of 0 are none. */
export type PositionChange = {
  orgId: number;
  assetId: number;
  /** Where the locked row is, as PostgreSQL writes it; null for an asset that was never seen before. */
  rowId: string | null;
  location: LocationId;
  sinceMs: number;
  lastSeenMs: number;
  readerId: number | null;
  antenna: number | null;
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  locating: string;
  /** Whether what lists search by changes: the location, since when, or the slot of ten seconds. */
  isRelisted: boolean;
  /** Whether live views are to be told: it was seen later than before, or is elsewhere. */
  isAnnounced: boolean;
};

export type AssetEvent = NewEvent & { orgId: number; assetId: number };

/** A visit that begins after everything known of its asset; the one before ends. */
export type VisitStart = {
  orgId: number;
  assetId: number;
  arrivedAtMs: number;
  /** Null while it lasts. */
  leftAtMs: number | null;
  location: LocationId;
};

/** The open visit of an asset ends. */
export type VisitEnd = { orgId: number; assetId: number; leftAtMs: number; lastSeenMs: number };

export type UnknownCount = {
  orgId: number;
  tagType: string | null;
  value: string;
  readerId: number | null;
  antenna: number | null;
  count: number;
  firstMs: number;
  lastMs: number;
};

/** What one transaction of ingestion, or a handheld's submission, writes. */
export type ScanChanges = {
  positions: PositionChange[];
  events: AssetEvent[];
  visitStarts: VisitStart[];
  visitEnds: VisitEnd[];
  unknown: UnknownCount[];
};

/** What is noted of the readers of a batch. */
export type ReaderChanges = Pick<ReadBatch, 'rejected'> & {
  /** Readers that sent something, with the new offset of their clock; null where that stays. */
  heartbeats: readonly { readerId: number; atMs: number; clockOffsetMs: number | null }[];
};

/** Seconds of a slot of `position_listings`. */
const slotSeconds = 10;

/** The slot that an instant is listed in. */
export function slotOf(atMs: number): number {
  return Math.floor(atMs / 1000 / slotSeconds);
}
