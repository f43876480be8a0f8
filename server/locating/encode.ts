import { freshState } from './state.js';
import type { AssetState, ReasonCode, Tally } from './types.js';

/**
 * The first character of the text. From a text of another version only the beginning is used, which all versions share.
 */
const version = 'a';

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

const upperDigits = 5;
const upperPart = 36 ** upperDigits;

/**
 * Encodes a state as digits, lower-case letters and `,;-`, about 20 characters for each tally.
 *
 * Numbers are whole and written in base 36, times as differences from the newest one; zeros are left out.
 */
export function encodeState(state: AssetState): string {
  const { lastSeenMs: last } = state;
  const decidedBy = state.decidedBy;
  let text = `${version}${base36(state.location)},${base36(last)},${base36(last - state.sinceMs)},${
    state.previous === null ? '-' : base36(state.previous)
  },${base36(Math.floor(decidedBy / 65536))},${base36(decidedBy % 65536)},${base36(codes.indexOf(state.reason))},${base36(
    last - state.settledMs,
  )},${ago(last, state.changeMs)},${ago(last, state.labelUntilMs)},${flags(state)},${base36(state.visitReads)}`;
  for (const tally of state.tallies) text += encodeTally(tally, last);
  return text;
}

/** An asset that is calibrated is at a location, so that one digit is enough. */
const calibrating = 1;
const inTransit = 2;

function flags({ isCalibrating, isInTransit }: AssetState): string {
  return base36(isCalibrating ? calibrating : isInTransit ? inTransit : 0);
}

function encodeTally(tally: Tally, last: number): string {
  const { antenna, newReads, lateReads } = tally;
  let text = `;${base36(Math.floor(antenna / 65536))},${base36(antenna % 65536)},${base36(tally.tag)},${base36(
    last - tally.lastMs,
  )},${base36(tally.gapMs)},${base36(tally.reads)},${level(tally.level)}`;
  if (newReads === 0 && lateReads === 0) return text;
  text += `,${base36(newReads)},${level(tally.newLevel)},${ago(last, tally.newFirstMs)}`;
  return lateReads === 0 ? text : `${text},${base36(lateReads)},${ago(last, tally.lateFirstMs)}`;
}

function base36(value: number): string {
  return value === 0 ? '' : digitsOf(value);
}

/**
 * Whole numbers of more than 31 bits are written in two parts, since their conversion to another base takes
 * microseconds.
 */
function digitsOf(value: number): string {
  if (value < 0) return `-${digitsOf(-value)}`;
  if (value < upperPart) return value.toString(36);
  const upper = Math.floor(value / upperPart);
  return digitsOf(upper) + (value - upper * upperPart).toString(36).padStart(upperDigits, '0');
}

/** Encodes a level as its distance below zero. */
function level(hundredths: number | null): string {
  return hundredths === null ? '' : notZero(-hundredths);
}

/** A time as the difference from the newest one. */
function ago(last: number, atMs: number): string {
  return atMs === 0 ? '' : notZero(last - atMs);
}

/** An empty text means null, so numbers from zero on are raised by one. */
function notZero(value: number): string {
  return digitsOf(value < 0 ? value : value + 1);
}

/**
 * Decodes the text of `encodeState`.
 *
 * Never throws. From a text of another version only the location and its times are used. An invalid text gives the
 * state of an asset without a location that was last seen at the beginning of 1970.
 */
export function decodeState(text: string): AssetState {
  const reader: Reader = { text, at: 1 };
  const location = number(reader);
  const last = number(reader);
  const sinceMs = last - number(reader);
  if (text.charAt(0) !== version) return freshState({ location, sinceMs, lastSeenMs: last });
  const hasPrevious = text.charCodeAt(reader.at) !== minus;
  const previous = number(reader);
  const decidedBy = number(reader) * 65536 + number(reader);
  const reason = codes[number(reader)] ?? 'same';
  const settledMs = last - number(reader);
  const changeMs = instant(reader, last);
  const labelUntilMs = instant(reader, last);
  const flag = number(reader);
  const visitReads = number(reader);
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
    labelUntilMs,
    isCalibrating: flag === calibrating,
    isInTransit: flag === inTransit,
    visitReads,
    tallies,
  };
}

function decodeTally(reader: Reader, last: number): Tally {
  const antenna = number(reader) * 65536 + number(reader);
  const tag = number(reader);
  const lastMs = last - number(reader);
  const gapMs = number(reader);
  const reads = number(reader);
  const hundredths = levelOf(number(reader));
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
