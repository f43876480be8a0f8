import { type AssetState, decodeState } from '../locating/index.js';
import { freshState } from '../locating/state.js';
import type { AntennaSettings, LocationId } from '../locating/types.js';
import type { ResolvedRow } from './batch-queries.js';
import {
  hasLine,
  isEmptyField,
  type LineReader,
  nextLine,
  nullableField,
  numberField,
  readLines,
} from './line-reader.js';

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
  /** Whether the listing has the millisecond of `lastSeenMs`. */
  isListedExactly: boolean;
  state: AssetState;
};

/** What the database knows about a batch, numbered as the batch is. */
export type ResolvedBatch = {
  /** Undefined for a reader that was deleted. */
  readers: (ReaderSettings | undefined)[];
  antennas: BatchAntenna[];
  /** By the number of the tag; without those that are not attached to anything. */
  tags: Map<number, TagOwner>;
  /** A line for each asset that was read, ordered by id. */
  positions: string;
};

/** Parses the lines of text that `resolveBatch` returns. */
export function parseResolved(row: ResolvedRow): ResolvedBatch {
  return {
    readers: parseReaders(row.readers),
    antennas: parseAntennas(row.antennas),
    tags: parseTags(row.tags),
    positions: row.positions,
  };
}

/** Parses the settings of readers. The line of a deleted reader is empty, also if it is the only one. */
function parseReaders(text: string): (ReaderSettings | undefined)[] {
  return text.split('\n').map((line) => {
    if (line === '') return undefined;
    const [windowSeconds, usesReceiptTime, rule, clockOffsetMs, countsPrivateAddresses] = line.split(' ');
    return {
      windowMs: Number(windowSeconds) * 1000,
      usesReceiptTime: usesReceiptTime === '1',
      rule: rule === 'newest' ? 'newest' : 'evidence',
      clockOffsetMs: Number(clockOffsetMs),
      countsPrivateAddresses: countsPrivateAddresses === '1',
    };
  });
}

function parseAntennas(text: string): BatchAntenna[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const [location, rssiMinDbm = '', kind] = line.split(' ');
    return {
      location: Number(location),
      rssiMinDbm: rssiMinDbm === '' ? null : Number(rssiMinDbm),
      kind: kind === 'portal' ? 'portal' : 'zone',
    };
  });
}

function parseTags(text: string): Map<number, TagOwner> {
  const owners = new Map<number, TagOwner>();
  for (const lines = readLines(text); hasLine(lines); nextLine(lines)) {
    const number = numberField(lines) - 1;
    // A tag of a location has no asset.
    const assetId = nullableField(lines);
    const id = numberField(lines);
    owners.set(number, assetId === null ? { locationId: id } : { assetId, tagId: id });
  }
  return owners;
}

/**
 * Reads lines of locked positions, and calls `visit` for each asset. Its position is parsed only if `readPosition` is
 * called, within the call of `visit`; it is undefined for an asset without one.
 */
export function readPositions(
  text: string,
  visit: (orgId: number, assetId: number, readPosition: () => LockedPosition | undefined) => void,
): void {
  for (const lines = readLines(text); hasLine(lines); nextLine(lines)) {
    const orgId = numberField(lines);
    const assetId = numberField(lines);
    visit(orgId, assetId, () => parsePosition(lines, orgId, assetId));
  }
}

/** Stands for null where 0 is a value. */
const none = -1;

/** Parses a position. Returns undefined for an asset without one. */
function parsePosition(line: LineReader, orgId: number, assetId: number): LockedPosition | undefined {
  if (isEmptyField(line)) return undefined;
  const location = numberField(line);
  const readerId = numberField(line);
  const antenna = numberField(line);
  const lastSeenMs = numberField(line);
  const sinceMs = numberField(line);
  const lastEventMs = numberField(line);
  const lastEventLocation = numberField(line);
  const isListedExactly = numberField(line) === 1;
  const state = isEmptyField(line) ? freshState({ location, sinceMs, lastSeenMs }) : decodeState(line.text, line.at);
  return {
    orgId,
    assetId,
    location,
    sinceMs,
    lastSeenMs,
    readerId: readerId === 0 ? null : readerId,
    antenna: antenna === none ? null : antenna,
    lastEventMs: lastEventMs === none ? null : lastEventMs,
    lastEventLocation,
    isListedExactly,
    state,
  };
}
