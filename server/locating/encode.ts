import { antennaKey, portOf, readerOf } from './antenna-key.js';
import { gapStepMs } from './tallies.js';
import { freshState } from './state.js';
import type { AssetState, Tally, LateRun, LocationId, Loudest, ReasonCode, Rival } from './types.js';

/** The first character of a text. Change it with anything below; new codes can be appended without that. */
const version = 'E';

const reasons: readonly ReasonCode[] = ['first', 'same', 'newest', 'moved', 'picture', 'portal', 'handheld'];

/** A text never has more of a list than this. */
const itemsMax = 64;

/** Five bits of a number; the second half stands for digits that others follow. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base = 32;
const digitBits = 5;
/** Below this, a number is divided by shifting its bits, which is faster. */
const wholeMax = 0x8000_0000;
const digitCodes = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
const valueOf = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, digits.indexOf(String.fromCharCode(code))));

/** Numbers that are written to a text, or read from it: one description of a state serves both directions. */
type Numbers = { readonly isReading: boolean; readonly text: string; at: number };

/** Holds the text that is being written. The longest one, 64 of each list, is shorter. */
const written = Buffer.alloc(16_384);

/**
 * Encodes a state as text that needs no escaping: less than 60 characters for an asset that one antenna reads, less than
 * 400 for twenty. Times are written as differences from the newest one, and antennas as differences from the one before.
 */
export function encodeState(state: AssetState): string {
  const numbers: Numbers = { isReading: false, text: '', at: 1 };
  written[0] = version.charCodeAt(0);
  passState(state, numbers);
  return written.toString('latin1', 0, numbers.at);
}

/** Decodes what `encodeState` has written. Never throws; returns undefined for text of another version, or none. */
export function decodeState(text: string | null): AssetState | undefined {
  if (text?.charAt(0) !== version) return undefined;
  return passState(freshState({ location: 0, sinceMs: 0, lastSeenMs: 0 }), { isReading: true, text, at: 1 });
}

/** Writes a number from zero on and returns it, or returns the next one that was written. */
function pass(numbers: Numbers, value: number): number {
  if (numbers.isReading) return read(numbers);
  let { at } = numbers;
  let rest = Math.round(value);
  for (; rest >= wholeMax; rest = Math.floor(rest / base)) written[at++] = digitCodes[base + (rest % base)] ?? 0;
  for (; rest >= base; rest >>= digitBits) written[at++] = digitCodes[base + (rest & (base - 1))] ?? 0;
  written[at] = digitCodes[rest] ?? 0;
  numbers.at = at + 1;
  return value;
}

function read(numbers: Numbers): number {
  const { text } = numbers;
  let value = 0;
  for (let factor = 1; numbers.at < text.length; factor *= base) {
    const digit = valueOf[text.charCodeAt(numbers.at)] ?? 0;
    numbers.at += 1;
    value += factor * (digit % base);
    if (digit < base) break;
  }
  return value;
}

/** The same for a number that may be below zero. */
function passSigned(numbers: Numbers, value: number): number {
  const rest = Math.round(value);
  const passed = pass(numbers, rest < 0 ? -2 * rest - 1 : 2 * rest);
  return passed % 2 === 1 ? -(passed + 1) / 2 : passed / 2;
}

/** Writes how much smaller than another number one is that may be null. */
function passBelow(numbers: Numbers, value: number | null, from: number): number | null {
  if (pass(numbers, value === null ? 0 : 1) === 0) return null;
  return from - passSigned(numbers, value === null ? 0 : from - value);
}

/** Zero stands for no time. */
function passTime(numbers: Numbers, atMs: number, last: number): number {
  return passBelow(numbers, atMs === 0 ? null : atMs, last) ?? 0;
}

function passList<Item>(numbers: Numbers, items: readonly Item[], passItem: (item: Item | undefined) => Item): Item[] {
  const count = Math.min(itemsMax, pass(numbers, items.length));
  const passed: Item[] = [];
  for (let i = 0; i < count; i += 1) passed.push(passItem(items[i]));
  return passed;
}

/**
 * Properties stand in the order of `freshState` and `firstTally`, here and below: objects that differ in it slow down every
 * decision. For the same reason literals of states and tallies have at most one spread, at their beginning.
 */
function passState(state: AssetState, numbers: Numbers): AssetState {
  const last = pass(numbers, state.lastSeenMs);
  const location = pass(numbers, state.location);
  return {
    location,
    sinceMs: passTime(numbers, state.sinceMs, last),
    lastSeenMs: last,
    previous: passBelow(numbers, state.previous, 0),
    decidedBy: antennaKey(pass(numbers, readerOf(state.decidedBy)), pass(numbers, portOf(state.decidedBy))),
    reason: reasons[pass(numbers, reasons.indexOf(state.reason))] ?? 'same',
    settledMs: passTime(numbers, state.settledMs, last),
    taughtMs: passTime(numbers, state.taughtMs, last),
    labelUntilMs: passTime(numbers, state.labelUntilMs, last),
    isCalibrating: pass(numbers, Number(state.isCalibrating)) !== 0,
    scanDb: passTenths(numbers, state.scanDb),
    loudest: [passLoudest(numbers, state.loudest[0], last), passLoudest(numbers, state.loudest[1], last)],
    rivals: passList(numbers, state.rivals, (rival) => passRival(numbers, rival, { location, last })),
    lateRuns: passList(numbers, state.lateRuns, (run) => passRun(numbers, run, last)),
    tallies: passTallies(numbers, state.tallies, { location, last }),
  };
}

function passTenths(numbers: Numbers, db: number | null): number | null {
  const tenths = passBelow(numbers, db === null ? null : Math.round(10 * db), 0);
  return tenths === null ? null : tenths / 10;
}

function passLoudest(numbers: Numbers, loudest: Loudest | null, last: number): Loudest | null {
  const level = passBelow(numbers, loudest?.level ?? null, 0);
  if (level === null) return null;
  return { level, atMs: last - pass(numbers, last - (loudest?.atMs ?? 0)) };
}

function passRival(
  numbers: Numbers,
  rival: Rival | undefined,
  { location, last }: { location: LocationId; last: number },
): Rival {
  return {
    location: location - passSigned(numbers, location - (rival?.location ?? 0)),
    dbS: Math.round(pass(numbers, 100 * (rival?.dbS ?? 0))) / 100,
    fromMs: last - pass(numbers, last - (rival?.fromMs ?? 0)),
  };
}

function passRun(numbers: Numbers, run: LateRun | undefined, last: number): LateRun {
  const antenna = antennaKey(pass(numbers, readerOf(run?.antenna ?? 0)), pass(numbers, portOf(run?.antenna ?? 0)));
  const tag = pass(numbers, run?.tag ?? 0);
  const reads = pass(numbers, run?.reads ?? 0);
  const firstMs = last - passSigned(numbers, last - (run?.firstMs ?? 0));
  return { antenna, tag, reads, firstMs, lastMs: last - passSigned(numbers, last - (run?.lastMs ?? 0)) };
}

const hasLevelBit = 1;
const portalBit = 2;
const bleBit = 4;
const sameTagBit = 8;
const flagsMax = 16;

function passTallies(
  numbers: Numbers,
  tallies: readonly Tally[],
  { location, last }: { location: LocationId; last: number },
): Tally[] {
  let previous = { reader: 0, location, tag: 0 };
  return passList(numbers, tallies, (tally) => {
    const ofTag = (tally?.tag === previous.tag ? sameTagBit : 0) + (tally?.isBle ? bleBit : 0);
    const bits = (tally?.level === null ? 0 : hasLevelBit) + (tally?.isPortal ? portalBit : 0) + ofTag;
    const flags = pass(numbers, bits + flagsMax * portOf(tally?.antenna ?? 0));
    const reader = previous.reader + passSigned(numbers, readerOf(tally?.antenna ?? 0) - previous.reader);
    const antenna = antennaKey(reader, Math.floor(flags / flagsMax));
    const own = previous.location + passSigned(numbers, (tally?.location ?? 0) - previous.location);
    const tag =
      flags & sameTagBit ? previous.tag : previous.tag + passSigned(numbers, (tally?.tag ?? 0) - previous.tag);
    previous = { reader, location: own, tag };
    const level = flags & hasLevelBit ? -passSigned(numbers, -(tally?.level ?? 0)) + 0 : null;
    const mean = level === null ? null : level - passSigned(numbers, level - (tally?.mean ?? 0));
    const lastMs = last - pass(numbers, last - (tally?.lastMs ?? 0));
    return {
      antenna,
      tag,
      location: own,
      isPortal: (flags & portalBit) !== 0,
      isBle: (flags & bleBit) !== 0,
      level,
      mean,
      fromMs: lastMs - pass(numbers, lastMs - (tally?.fromMs ?? 0)),
      lastMs,
      gapMs: gapStepMs * pass(numbers, (tally?.gapMs ?? 0) / gapStepMs),
    };
  });
}
