import { antennaKey, portOf, readerOf } from './antenna-key.js';
import { replaceMs } from './constants.js';
import { freshState } from './state.js';
import type { AssetState, ReasonCode, Tally } from './types.js';

/**
 * The first character of the text. From a text of another version only the beginning is used, which all versions share.
 */
const version = 98;

/** Codes by their number in the text: append new ones at the end. */
const codes: readonly ReasonCode[] = [
  ...(['first', 'same', 'repeated', 'late', 'newest', 'moved', 'corrected', 'portal', 'handheld'] as const),
  'unknown-antenna',
];

const comma = 44;
const minus = 45;
const semicolon = 59;
const digitZero = 48;
const digitNine = 57;
const letterA = 97;

const base = 36;
/** Larger numbers are written in two parts, since whole numbers of more than 31 bits are divided slowly. */
const lowerDigits = 5;
const lowerPart = base ** lowerDigits;

/**
 * Encodes a state as text: ASCII digits, lower-case letters and `,;-`, about 20 characters for each tally.
 *
 * Numbers are whole and written in base 36, times as differences from the newest one; zeros are left out.
 */
export function encodeState(state: AssetState): string {
  const { lastSeenMs: last, previous, decidedBy } = state;
  const out: Writer = { codes: [], at: 0 };
  put(out, version);
  putField(out, state.location);
  putField(out, last);
  putField(out, last - state.sinceMs);
  if (previous === null) put(out, minus);
  else putNumber(out, previous);
  put(out, comma);
  putField(out, readerOf(decidedBy));
  putField(out, portOf(decidedBy));
  putField(out, codes.indexOf(state.reason));
  putField(out, last - state.settledMs);
  putAgo(out, last, state.changeMs);
  put(out, comma);
  putAgo(out, last, state.louderMs);
  put(out, comma);
  putAgo(out, last, state.labelUntilMs);
  put(out, comma);
  putField(out, flagOf(state));
  putNumber(out, state.visitReads);
  if (state.movedFrom !== 0 && last - state.decidedMs <= replaceMs) {
    put(out, comma);
    putField(out, state.movedFrom);
    putNumber(out, last - state.decidedMs);
  }
  for (const tally of state.tallies) putTally(out, tally, last);
  return String.fromCharCode(...out.codes);
}

/** An asset that is calibrated is at a location, so that one digit is enough. */
const calibrating = 1;
const inTransit = 2;

function flagOf({ isCalibrating, isInTransit }: AssetState): number {
  return isCalibrating ? calibrating : isInTransit ? inTransit : 0;
}

function putTally(out: Writer, tally: Tally, last: number): void {
  const { antenna, newReads, lateReads } = tally;
  put(out, semicolon);
  putField(out, readerOf(antenna));
  putField(out, portOf(antenna));
  putField(out, tally.tag);
  putField(out, last - tally.lastMs);
  putField(out, tally.gapMs);
  putField(out, tally.reads);
  putLevel(out, tally.level);
  put(out, comma);
  if (tally.smoothed !== null) putNotZero(out, (tally.level ?? 0) - tally.smoothed);
  if (newReads === 0 && lateReads === 0) return;
  put(out, comma);
  putField(out, newReads);
  putLevel(out, tally.newLevel);
  put(out, comma);
  putAgo(out, last, tally.newFirstMs);
  if (lateReads === 0) return;
  put(out, comma);
  putField(out, lateReads);
  putAgo(out, last, tally.lateFirstMs);
}

/** The character codes of the text, and where the next one goes. */
type Writer = { readonly codes: number[]; at: number };

function put(out: Writer, code: number): void {
  out.codes[out.at] = code;
  out.at += 1;
}

/** Writes a number and a comma. */
function putField(out: Writer, value: number): void {
  putNumber(out, value);
  put(out, comma);
}

/** Writes nothing for zero. */
function putNumber(out: Writer, value: number): void {
  if (value < 0) {
    put(out, minus);
    putNumber(out, -value);
  } else if (value < lowerPart) putDigits(out, value, digitsOf(value));
  else {
    const upper = Math.floor(value / lowerPart);
    putNumber(out, upper);
    putDigits(out, value - upper * lowerPart, lowerDigits);
  }
}

function digitsOf(value: number): number {
  let count = 0;
  for (let limit = 1; limit <= value; limit *= base) count += 1;
  return count;
}

function putDigits(out: Writer, value: number, count: number): void {
  let rest = value | 0;
  for (let at = out.at + count - 1; at >= out.at; at -= 1) {
    const digit = rest % base;
    rest = (rest - digit) / base;
    out.codes[at] = digit < 10 ? digitZero + digit : letterA + digit - 10;
  }
  out.at += count;
}

/** Writes a level as its distance below zero. */
function putLevel(out: Writer, hundredths: number | null): void {
  if (hundredths !== null) putNotZero(out, -hundredths);
}

/** Writes a time as the difference from the newest one. */
function putAgo(out: Writer, last: number, atMs: number): void {
  if (atMs !== 0) putNotZero(out, last - atMs);
}

/** Nothing stands for null, so numbers from zero on are raised by one. */
function putNotZero(out: Writer, value: number): void {
  putNumber(out, value < 0 ? value : value + 1);
}

/**
 * Decodes what `encodeState` has written. Never throws. From a text of another version only the location and its times are used. An invalid text gives the
 * state of an asset without a location that was last seen at the beginning of 1970.
 */
export function decodeState(text: string): AssetState {
  const reader: Reader = { text, at: 1 };
  const location = number(reader);
  const last = number(reader);
  const sinceMs = last - number(reader);
  if (text.charCodeAt(0) !== version) return freshState({ location, sinceMs, lastSeenMs: last });
  const hasPrevious = text.charCodeAt(reader.at) !== minus;
  const previous = number(reader);
  const decidedBy = antennaKey(number(reader), number(reader));
  const reason = codes[number(reader)] ?? 'same';
  const settledMs = last - number(reader);
  const changeMs = instant(reader, last);
  const louderMs = instant(reader, last);
  const labelUntilMs = instant(reader, last);
  const flag = number(reader);
  const visitReads = number(reader);
  const movedFrom = number(reader);
  const decidedMs = movedFrom === 0 ? 0 : last - number(reader);
  const tallies: Tally[] = [];
  while (text.charCodeAt(reader.at) === semicolon) {
    reader.at += 1;
    tallies.push(decodeTally(reader, last));
  }
  // Every property is written out, here and below: spreading objects is slow.
  return {
    location,
    sinceMs,
    lastSeenMs: last,
    previous: hasPrevious ? previous : null,
    decidedBy,
    reason,
    settledMs,
    changeMs,
    louderMs,
    labelUntilMs,
    isCalibrating: flag === calibrating,
    isInTransit: flag === inTransit,
    visitReads,
    movedFrom,
    decidedMs,
    tallies,
  };
}

function decodeTally(reader: Reader, last: number): Tally {
  const antenna = antennaKey(number(reader), number(reader));
  const tag = number(reader);
  const lastMs = last - number(reader);
  const gapMs = number(reader);
  const reads = number(reader);
  const hundredths = levelOf(number(reader));
  const below = number(reader);
  const smoothed = below === 0 ? null : (hundredths ?? 0) - fromNotZero(below);
  const newReads = number(reader);
  const newLevel = levelOf(number(reader));
  const newFirstMs = instant(reader, last);
  const lateReads = number(reader);
  const lateFirstMs = instant(reader, last);
  return {
    antenna,
    tag,
    reads,
    level: hundredths,
    smoothed,
    newReads,
    newLevel,
    newFirstMs,
    lastMs,
    gapMs,
    lateReads,
    lateFirstMs,
  };
}

type Reader = { text: string; at: number };

/** Reads the number up to the next comma and skips the comma; 0 at the end of the tally or the head. */
function number(reader: Reader): number {
  const { text } = reader;
  let { at } = reader;
  let value = 0;
  let sign = 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === semicolon) break;
    if (code === comma) {
      at += 1;
      break;
    }
    if (code === minus) sign = -1;
    else value = value * 36 + (code <= digitNine ? code - digitZero : code - letterA + 10);
  }
  reader.at = at;
  return sign * value;
}

function levelOf(value: number): number | null {
  return value === 0 ? null : 0 - fromNotZero(value);
}

function instant(reader: Reader, last: number): number {
  const value = number(reader);
  return value === 0 ? 0 : last - fromNotZero(value);
}

function fromNotZero(value: number): number {
  return value < 0 ? value : value - 1;
}
