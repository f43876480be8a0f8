import { antennaKey, portOf, readerOf } from './antenna-key.js';
import { denseTalliesMax, replaceMs } from './constants.js';
import { freshState } from './state.js';
import { emptyTally } from './tallies.js';
import type { AssetState, ReasonCode, Tally } from './types.js';

/** The first character of a text. Change it with anything below; new codes can be appended without that. */
const version = 'D';

/** Two codes are not in use. */
const reasons: readonly (ReasonCode | undefined)[] = [
  ...(['first', 'same', undefined, undefined, 'newest', 'moved', 'corrected', 'portal', 'handheld'] as const),
];

/** Five bits of a number; the second half stands for digits that others follow. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base = 32;
const digitCodes = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
const valueOf = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, digits.indexOf(String.fromCharCode(code))));

/** Numbers that are written to a text, or read from it: one description of a state serves both directions. */
type Numbers = { readonly isReading: boolean; readonly text: string; readonly codes: number[]; at: number };

/**
 * Encodes a state as text that needs no escaping: less than 60 characters for an asset that one antenna reads, and up to
 * 300 where twelve do.
 * Numbers are whole. Times are written as differences from the newest one, and tallies as differences from the one before.
 */
export function encodeState(state: AssetState): string {
  const numbers: Numbers = { isReading: false, text: '', codes: [version.charCodeAt(0)], at: 0 };
  passState(state, numbers);
  return String.fromCharCode(...numbers.codes);
}

/** Decodes what `encodeState` has written. Never throws; returns undefined for text of another version, or none. */
export function decodeState(text: string | null): AssetState | undefined {
  if (text?.charAt(0) !== version) return undefined;
  return passState(nothing, { isReading: true, text, codes: [], at: 1 });
}

const nothing = freshState({ location: 0, sinceMs: 0, lastSeenMs: 0 });

/** Writes a number and returns it, or returns the next one that was written. */
function pass(numbers: Numbers, value: number): number {
  if (numbers.isReading) return read(numbers);
  write(numbers, value);
  return value;
}

function write({ codes }: Numbers, value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest >= base; rest = Math.floor(rest / base)) codes.push(digitCodes[base + (rest % base)] ?? 0);
  codes.push(digitCodes[rest] ?? 0);
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
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

// Properties stand in the order of `freshState` and `emptyTally`, here and below: objects that differ in it slow down every decision.
function passState(state: AssetState, numbers: Numbers): AssetState {
  const last = pass(numbers, state.lastSeenMs);
  const isReplaceable = state.movedFrom !== 0 && last - state.decidedMs <= replaceMs;
  const movedFrom = pass(numbers, isReplaceable ? state.movedFrom : 0);
  const tallies: Tally[] = [];
  const next: AssetState = {
    location: pass(numbers, state.location),
    sinceMs: passTime(numbers, state.sinceMs, last),
    lastSeenMs: last,
    previous: passOrNull(numbers, state.previous, 0),
    decidedBy: antennaKey(pass(numbers, readerOf(state.decidedBy)), pass(numbers, portOf(state.decidedBy))),
    reason: reasons[pass(numbers, reasons.indexOf(state.reason))] ?? 'same',
    settledMs: passTime(numbers, state.settledMs, last),
    changeMs: passTime(numbers, state.changeMs, last),
    louderMs: passTime(numbers, state.louderMs, last),
    labelUntilMs: passTime(numbers, state.labelUntilMs, last),
    isCalibrating: pass(numbers, Number(state.isCalibrating)) !== 0,
    isInTransit: pass(numbers, Number(state.isInTransit)) !== 0,
    visitReads: pass(numbers, state.visitReads),
    movedFrom,
    decidedMs: movedFrom === 0 ? 0 : passTime(numbers, state.decidedMs, last),
    tallies,
  };
  let previous = emptyTally({ antenna: 0, tag: 0, atMs: last });
  const count = Math.min(denseTalliesMax, pass(numbers, state.tallies.length));
  for (; tallies.length < count; tallies.push(previous)) {
    previous = passTally(numbers, state.tallies[tallies.length] ?? previous, { previous, last });
  }
  return next;
}

function passTally(numbers: Numbers, tally: Tally, { previous, last }: { previous: Tally; last: number }): Tally {
  const reader = readerOf(previous.antenna);
  const level = passOrNull(numbers, tally.level, previous.level ?? 0);
  const newReads = pass(numbers, tally.newReads);
  const lateReads = pass(numbers, tally.lateReads);
  return {
    antenna: antennaKey(reader + pass(numbers, readerOf(tally.antenna) - reader), pass(numbers, portOf(tally.antenna))),
    tag: previous.tag + pass(numbers, tally.tag - previous.tag),
    reads: pass(numbers, tally.reads),
    level,
    smoothed: passOrNull(numbers, tally.smoothed, level ?? 0),
    newReads,
    newLevel: newReads === 0 ? null : passOrNull(numbers, tally.newLevel, level ?? 0),
    newFirstMs: newReads === 0 ? 0 : passTime(numbers, tally.newFirstMs, last),
    lastMs: last - pass(numbers, last - tally.lastMs),
    gapMs: pass(numbers, tally.gapMs),
    lateReads,
    lateFirstMs: lateReads === 0 ? 0 : passTime(numbers, tally.lateFirstMs, last),
  };
}

/** Zero stands for no time. */
function passTime(numbers: Numbers, atMs: number, last: number): number {
  const ago = passOrNull(numbers, atMs === 0 ? null : last - atMs, 0);
  return ago === null ? 0 : last - ago;
}

/** Writes a difference, raised by one from zero on: zero stands for null. */
function passOrNull(numbers: Numbers, value: number | null, from: number): number | null {
  const difference = value === null ? 0 : value - from;
  const written = pass(numbers, value === null ? 0 : difference < 0 ? difference : difference + 1);
  return written === 0 ? null : from + (written < 0 ? written : written - 1);
}
