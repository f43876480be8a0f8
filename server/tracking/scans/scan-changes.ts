import type { RowColumns } from '../../kernel/database/array-literals.js';
import type { Move } from '../../notifying/events/record-scan-events.js';
import type { LocationId } from '../../locating/types.js';
import type { ReadBatch } from './batch.js';
import type { NewEvent } from './event-log.js';

/** An asset's position to be stored; 0 means no location. */
export type PositionChange = {
  orgId: number;
  assetId: number;
  /** Whether the asset has a position, whose row is locked. */
  isKnown: boolean;
  location: LocationId;
  sinceMs: number;
  lastSeenMs: number;
  readerId: number | null;
  antenna: number | null;
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  /** The encoded state. */
  locating: string;
  /** Whether live views are notified, because the asset was seen later than before, or is at another location. */
  isAnnounced: boolean;
};

export type AssetEvent = NewEvent & { orgId: number; assetId: number };

/**
 * A visit to be stored. A position is the open visit of its asset; visits are stored when they end. An open visit is
 * stored only if its position is about to be, or is, another time or place.
 */
type VisitChange = {
  orgId: number;
  assetId: number;
  /** Null for the visit that is open before this change, with its location. */
  arrivedAtMs: number | null;
  /** Null while the visit lasts, as `lastSeenMs`. */
  leftAtMs: number | null;
  lastSeenMs: number | null;
  location: LocationId;
};

/** A change of the decided location. */
export type ScanMove = Omit<Move, 'userId'>;

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

/** Everything that one transaction of ingestion or of a handheld's submission writes. */
export type ScanChanges = {
  events: AssetEvent[];
  known: PositionChange[];
  /** The positions of assets that were never seen before. */
  unseen: PositionChange[];
  /** The assets that live views are notified of, by organization. */
  announced: Map<number, number[]>;
  visits: VisitChange[];
  moves: ScanMove[];
};

export function createChanges(): ScanChanges {
  return {
    events: [],
    known: [],
    unseen: [],
    announced: new Map(),
    visits: [],
    moves: [],
  };
}

export function addPosition(changes: ScanChanges, position: PositionChange): void {
  if (position.isKnown) changes.known.push(position);
  else changes.unseen.push(position);
  if (!position.isAnnounced) return;
  const announced = changes.announced.get(position.orgId);
  if (announced) announced.push(position.assetId);
  else changes.announced.set(position.orgId, [position.assetId]);
}

/** What is stored about the readers of a batch. */
export type ReaderChanges = Pick<ReadBatch, 'rejected'> & {
  /** Readers that sent something, with the new offset of their clock, or null if unchanged. */
  heartbeats: readonly { readerId: number; atMs: number; clockOffsetMs: number | null }[];
};

/** Returns a location as the database stores it: null for 0. */
export const nullable = (location: LocationId) => (location === 0 ? null : location);

export const eventColumns: RowColumns<AssetEvent> = {
  org_id: ['int', ({ orgId }) => orgId],
  asset_id: ['int', ({ assetId }) => assetId],
  at: ['float8', ({ atMs }) => atMs],
  location_id: ['int', ({ location }) => nullable(location)],
  reader_id: ['int', ({ source }) => source.readerId],
  antenna: ['int', ({ source }) => source.antenna],
  rssi: ['real', ({ source }) => source.rssiDbm],
  received: ['float8', ({ source }) => source.receivedAtMs],
};

/** The columns of a position that are stored, for new and existing rows. */
export const positionColumns: RowColumns<PositionChange> = {
  org_id: ['int', ({ orgId }) => orgId],
  asset_id: ['int', ({ assetId }) => assetId],
  location_id: ['int', ({ location }) => nullable(location)],
  since: ['float8', ({ sinceMs }) => sinceMs],
  last_seen: ['float8', ({ lastSeenMs }) => lastSeenMs],
  reader_id: ['int', ({ readerId }) => readerId],
  antenna: ['int', ({ antenna }) => antenna],
  last_event: ['float8', ({ lastEventMs }) => lastEventMs],
  last_event_location_id: ['int', ({ lastEventLocation }) => nullable(lastEventLocation)],
  locating: ['text', ({ locating }) => locating],
};
