import { type AssetState, decodeState } from '../locating/index.js';
import { freshState } from '../locating/state.js';
import type { AntennaSettings, LocationId } from '../locating/types.js';
import type { ResolvedRow } from './batch-queries.js';

/** How a live reader is set. */
export type ReaderSettings = {
  windowMs: number;
  usesReceiptTime: boolean;
  rule: AntennaSettings['rule'];
  clockOffsetMs: number;
  /** Whether private BLE addresses that belong to nothing are unknown tags. */
  countsPrivateAddresses: boolean;
};

export type BatchAntenna = Pick<AntennaSettings, 'location' | 'kind'> & {
  /** Weaker reads are dropped; null without a threshold. */
  rssiMinDbm: number | null;
};

/** What a tag value belongs to. */
type TagOwner = { assetId: number; tagId: number } | { locationId: number };

/** An asset's position, whose row is locked until the end of the transaction. Locations of 0 are none. */
export type LockedPosition = {
  orgId: number;
  assetId: number;
  rowId: string;
  location: LocationId;
  readerId: number | null;
  antenna: number | null;
  lastSeenMs: number;
  sinceMs: number;
  /** Null where the newest event is not known. */
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  state: AssetState;
  /** The state as it is stored. */
  locating: string;
};

/** Everything the statements know about a batch, numbered as the batch is. */
export type ResolvedBatch = {
  /** Undefined where the reader is gone. */
  readers: (ReaderSettings | undefined)[];
  antennas: BatchAntenna[];
  /** By the number of the tag; without those that belong to nothing. */
  tags: Map<number, TagOwner>;
  positions: Map<number, LockedPosition>;
};

/** Reads the lines of text that `resolveBatch` answers. */
export function parseResolved(row: ResolvedRow): ResolvedBatch {
  return {
    readers: row.readers.split('\n').map(parseReader),
    antennas: linesOf(row.antennas).map(parseAntenna),
    tags: parseTags(row.tags),
    positions: parsePositions(row.positions),
  };
}

/** Reads the lines of locked positions, by asset. */
export function parsePositions(text: string): Map<number, LockedPosition> {
  const positions = new Map<number, LockedPosition>();
  for (const line of linesOf(text)) {
    const position = parsePosition(line);
    if (position) positions.set(position.assetId, position);
  }
  return positions;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function parseReader(line: string): ReaderSettings | undefined {
  if (line === '') return undefined;
  const [resolutionSeconds, usesReceiptTime, rule, clockOffsetMs, countsPrivateAddresses] = line.split(' ');
  return {
    windowMs: Number(resolutionSeconds) * 1000,
    usesReceiptTime: usesReceiptTime === '1',
    rule: rule === 'newest' ? 'newest' : 'evidence',
    clockOffsetMs: Number(clockOffsetMs),
    countsPrivateAddresses: countsPrivateAddresses === '1',
  };
}

function parseAntenna(line: string): BatchAntenna {
  const [location, rssiMinDbm, kind] = line.split(' ');
  return {
    location: Number(location),
    rssiMinDbm: nullableNumber(rssiMinDbm),
    kind: kind === 'portal' ? 'portal' : 'zone',
  };
}

function parseTags(text: string): Map<number, TagOwner> {
  const owners = new Map<number, TagOwner>();
  for (const line of linesOf(text)) {
    const [number, owner, id] = line.split(' ');
    owners.set(
      Number(number) - 1,
      owner === 'location' ? { locationId: Number(id) } : { assetId: Number(owner), tagId: Number(id) },
    );
  }
  return owners;
}

function nullableNumber(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}

/** Undefined for an asset without a position. */
function parsePosition(line: string): LockedPosition | undefined {
  const [orgId, assetId, rowId, location, readerId, antenna, lastSeen, since, lastEvent, lastEventLocation, locating] =
    line.split(' ');
  if (rowId === undefined || rowId === '') return undefined;
  const known = { location: Number(location), sinceMs: Number(since), lastSeenMs: Number(lastSeen) };
  // Written out: a literal that spreads another object and adds keys costs microseconds.
  return {
    orgId: Number(orgId),
    assetId: Number(assetId),
    rowId,
    location: known.location,
    sinceMs: known.sinceMs,
    lastSeenMs: known.lastSeenMs,
    readerId: nullableNumber(readerId),
    antenna: nullableNumber(antenna),
    lastEventMs: nullableNumber(lastEvent),
    lastEventLocation: Number(lastEventLocation),
    state: locating ? decodeState(locating) : freshState(known),
    locating: locating ?? '',
  };
}
