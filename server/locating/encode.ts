import { antennaKey, portOf, readerOf } from './antenna-key.js';
import { denseTalliesMax, replaceMs } from './constants.js';
import { freshState } from './state.js';
import { emptyTally } from './tallies.js';
import type { AssetState, ReasonCode, Tally } from './types.js';

/** The first character of a text. Change it with anything below; new codes can be appended without that. */
const version = 'C';

const codes: readonly ReasonCode[] = [
  ...(['first', 'same', 'repeated', 'late', 'newest', 'moved', 'corrected', 'portal', 'handheld'] as const),
  'unknown-antenna',
];

/** Five bits of a number; the second half stands for digits that others follow. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const base = 32;
const valueOf = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, digits.indexOf(String.fromCharCode(code))));

/** Writes a number and returns it, or returns the next one that was written: one description serves both directions. */
type Pass = (value: number) => number;

/**
 * Encodes a state as text that needs no escaping: less than 60 characters for an asset that one antenna reads, and up to
 * 300 where twelve do.
 * Numbers are whole. Times are written as differences from the newest one, and tallies as differences from the one before.
 */
export function encodeState(state: AssetState): string {
  let text = version;
  passState(state, (value) => {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= base; rest = Math.floor(rest / base)) text += digits.charAt(base + (rest % base));
    text += digits.charAt(rest);
    return value;
  });
  return text;
}

/** Decodes what `encodeState` has written. Never throws; returns undefined for text of another version, or none. */
export function decodeState(text: string | null): AssetState | undefined {
  if (text?.charAt(0) !== version) return undefined;
  let at = 1;
  return passState(freshState({ location: 0, sinceMs: 0, lastSeenMs: 0 }), () => {
    let value = 0;
    for (let factor = 1; at < text.length; factor *= base) {
      const digit = valueOf[text.charCodeAt(at)] ?? 0;
      at += 1;
      value += factor * (digit % base);
      if (digit < base) break;
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  });
}

function passState(state: AssetState, pass: Pass): AssetState {
  const last = pass(state.lastSeenMs);
  const isReplaceable = state.movedFrom !== 0 && last - state.decidedMs <= replaceMs;
  const movedFrom = pass(isReplaceable ? state.movedFrom : 0);
  const next: AssetState = {
    lastSeenMs: last,
    movedFrom,
    decidedMs: movedFrom === 0 ? 0 : passTime(state.decidedMs, last, pass),
    location: pass(state.location),
    sinceMs: passTime(state.sinceMs, last, pass),
    settledMs: passTime(state.settledMs, last, pass),
    previous: passOrNull(state.previous, 0, pass),
    decidedBy: antennaKey(pass(readerOf(state.decidedBy)), pass(portOf(state.decidedBy))),
    reason: codes[pass(codes.indexOf(state.reason))] ?? 'same',
    changeMs: passTime(state.changeMs, last, pass),
    louderMs: passTime(state.louderMs, last, pass),
    labelUntilMs: passTime(state.labelUntilMs, last, pass),
    isCalibrating: pass(Number(state.isCalibrating)) !== 0,
    isInTransit: pass(Number(state.isInTransit)) !== 0,
    visitReads: pass(state.visitReads),
    tallies: [],
  };
  let previous = emptyTally({ antenna: 0, tag: 0, atMs: last });
  const tallies: Tally[] = [];
  const count = Math.min(denseTalliesMax, pass(state.tallies.length));
  for (; tallies.length < count; tallies.push(previous)) {
    previous = passTally(state.tallies[tallies.length] ?? previous, { previous, last }, pass);
  }
  return { ...next, tallies };
}

function passTally(tally: Tally, { previous, last }: { previous: Tally; last: number }, pass: Pass): Tally {
  const reader = readerOf(previous.antenna);
  const level = passOrNull(tally.level, previous.level ?? 0, pass);
  const newReads = pass(tally.newReads);
  const lateReads = pass(tally.lateReads);
  return {
    level,
    newReads,
    lateReads,
    antenna: antennaKey(reader + pass(readerOf(tally.antenna) - reader), pass(portOf(tally.antenna))),
    tag: previous.tag + pass(tally.tag - previous.tag),
    lastMs: last - pass(last - tally.lastMs),
    gapMs: pass(tally.gapMs),
    reads: pass(tally.reads),
    smoothed: passOrNull(tally.smoothed, level ?? 0, pass),
    newLevel: newReads === 0 ? null : passOrNull(tally.newLevel, level ?? 0, pass),
    newFirstMs: newReads === 0 ? 0 : passTime(tally.newFirstMs, last, pass),
    lateFirstMs: lateReads === 0 ? 0 : passTime(tally.lateFirstMs, last, pass),
  };
}

/** Zero stands for no time. */
function passTime(atMs: number, last: number, pass: Pass): number {
  const ago = passOrNull(atMs === 0 ? null : last - atMs, 0, pass);
  return ago === null ? 0 : last - ago;
}

/** Writes a difference, raised by one from zero on: zero stands for null. */
function passOrNull(value: number | null, from: number, pass: Pass): number | null {
  const difference = value === null ? 0 : value - from;
  const written = pass(value === null ? 0 : difference < 0 ? difference : difference + 1);
  return written === 0 ? null : from + (written < 0 ? written : written - 1);
}
