import { type AssetState, decodeState } from '../locating/index.js';
import { freshState } from '../locating/state.js';
import type { AntennaSettings, LocationId } from '../locating/types.js';
import type { PositionRow, ReaderRow, ResolvedRows, TagRow } from './batch-queries.js';

/** The settings of a live reader. */
export type ReaderSettings = {
  windowMs: number;
  usesReceiptTime: boolean;
  rule: AntennaSettings['rule'];
  clockOffsetMs: number;
  /** Whether private BLE addresses that are not attached to anything count as unknown tags. */
  countsPrivateAddresses: boolean;
};

export type BatchAntenna = Pick<AntennaSettings, 'location' | 'kind'> & {
  /** Weaker reads are dropped; null without a threshold. */
  rssiMinDbm: number | null;
};

/** What a tag value is attached to. */
export type TagOwner = { assetId: number; tagId: number } | { locationId: number };

/** An asset's position, whose row is locked until the end of the transaction. 0 means no location. */
export type LockedPosition = {
  orgId: number;
  assetId: number;
  location: LocationId;
  readerId: number | null;
  antenna: number | null;
  lastSeenMs: number;
  sinceMs: number;
  /** Null if the newest event is unknown. */
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  state: AssetState;
};

/** What the database knows about a batch, numbered as the batch is. */
export type ResolvedBatch = {
  /** Without readers that were deleted, and their antennas. */
  readers: (ReaderSettings | undefined)[];
  antennas: (BatchAntenna | undefined)[];
  /** By the number of the tag; without those that are not attached to anything. */
  tags: Map<number, TagOwner>;
  /** Each asset that was read once, ordered by id. */
  positions: PositionRow[];
};

/** Numbers what `resolveBatch` returns as the batch is numbered, from 0. */
export function resolvedBatch({ readers, tags }: ResolvedRows): ResolvedBatch {
  const resolved: ResolvedBatch = { readers: [], antennas: [], tags: new Map(), positions: [] };
  for (const row of readers) {
    resolved.readers[row.reader_no - 1] = readerOf(row);
    if (row.antenna_no !== null) resolved.antennas[row.antenna_no - 1] = antennaOf(row);
  }
  for (const row of tags) {
    resolved.tags.set(row.no - 1, ownerOf(row));
    if (isOfAsset(row) && resolved.positions.at(-1)?.asset_id !== row.asset_id) resolved.positions.push(row);
  }
  return resolved;
}

function readerOf(row: ReaderRow): ReaderSettings {
  return {
    windowMs: row.resolution_seconds * 1000,
    usesReceiptTime: row.use_receipt_time,
    rule: row.location_rule === 'newest' ? 'newest' : 'evidence',
    clockOffsetMs: row.clock_offset_ms,
    countsPrivateAddresses: row.count_private_addresses,
  };
}

function antennaOf({ location_id: location, min_rssi_dbm: rssiMinDbm, kind }: ReaderRow): BatchAntenna {
  return { location: location ?? 0, rssiMinDbm, kind: kind === 'portal' ? 'portal' : 'zone' };
}

function isOfAsset(row: TagRow): row is TagRow & { asset_id: number } {
  return row.asset_id !== null;
}

function ownerOf(row: TagRow): TagOwner {
  if (isOfAsset(row)) return { assetId: row.asset_id, tagId: row.tag_id };
  return { locationId: row.labeled_location_id ?? 0 };
}

/** Returns the position of an asset, or undefined if it was never seen before. */
export function positionOf(row: PositionRow): LockedPosition | undefined {
  const { last_seen_ms: lastSeenMs, since_ms: sinceMs, locating } = row;
  if (lastSeenMs === null || sinceMs === null) return undefined;
  const location = row.location_id ?? 0;
  return {
    orgId: row.org_id,
    assetId: row.asset_id,
    location,
    sinceMs,
    lastSeenMs,
    readerId: row.reader_id,
    antenna: row.antenna,
    lastEventMs: row.last_event_ms,
    lastEventLocation: row.last_event_location_id ?? 0,
    state: decodeState(locating) ?? freshState({ location, sinceMs, lastSeenMs }),
  };
}
