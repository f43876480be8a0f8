import type { AssetState, LocationId } from '../locating/types.js';
import type { ReadBatch } from './batch.js';
import type { NewEvent } from './event-log.js';

/** An asset's position to be stored; 0 means no location. */
export type PositionChange = {
  orgId: number;
  assetId: number;
  /** The `ctid` of the locked row, as `rowIdOf` returns it; null for an asset that was never seen before. */
  rowId: number | null;
  location: LocationId;
  sinceMs: number;
  lastSeenMs: number;
  readerId: number | null;
  antenna: number | null;
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  state: AssetState;
  /** Whether the listing has the millisecond at which the asset was last seen; otherwise only the slot of ten seconds. */
  isListedExactly: boolean;
  /** Whether what lists search or order by changes: the location, since when, the slot, or what is known of the millisecond. */
  isRelisted: boolean;
  /** Whether live views are notified: the asset was seen later than before, or is elsewhere. */
  isAnnounced: boolean;
};

export type AssetEvent = NewEvent & { orgId: number; assetId: number };

/** A visit that begins after everything known of its asset; the preceding one ends. */
export type VisitStart = {
  orgId: number;
  assetId: number;
  arrivedAtMs: number;
  /** Null while the visit lasts. */
  leftAtMs: number | null;
  location: LocationId;
};

/** The end of an asset's open visit. */
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

/** What is stored of the readers of a batch. */
export type ReaderChanges = Pick<ReadBatch, 'rejected'> & {
  /** Readers that sent something, with the new offset of their clock, or null if unchanged. */
  heartbeats: readonly { readerId: number; atMs: number; clockOffsetMs: number | null }[];
};

/** Length of a slot of `position_listings`, in seconds. */
const slotSeconds = 10;

/** Returns the slot of an instant. */
export function slotOf(atMs: number): number {
  return Math.floor(atMs / 1000 / slotSeconds);
}

/** Milliseconds between the beginning of the slot and an instant in it. */
export function slotMsOf(atMs: number): number {
  return atMs - slotOf(atMs) * slotSeconds * 1000;
}

/** What a listing has for the milliseconds where they are not known; more than any slot has. */
export const unknownSlotMs = slotSeconds * 1000;
