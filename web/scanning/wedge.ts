import { cleanScan } from './scan-value.js';
import { type Editable, editableOf, rewind, snapshotOf } from './editable.js';
import { altCharacter, type KeyEvent, keystrokeOf } from './keystroke.js';

export type WedgeOptions = {
  /** What the scanner is set to put before and after each value; taken off where it is there. */
  prefix?: string;
  suffix?: string;
  /** Whether what is scanned into a field stays there, as if typed. */
  leavesFields?: boolean;
  /** Called instead of `onScan` for a scan of which a part may be missing. */
  onReject?: () => void;
};

/** Nobody types as fast as a scanner does in the mean; a radio link or a busy device may hold up one of its keys. */
const gapMaxMs = 200;
/** At its beginning nothing is held up yet: a longer gap is between what somebody typed and a scan. */
const firstGapMaxMs = 80;
const firstKeys = 3;
const meanGapMaxMs = 45;
const lengthMin = 3;
/** In a field, where people type, a scan must be longer. */
const fieldLengthMin = 4;
/** A scanner that sends end keys has not finished after this silence. */
const silenceMs = 300;
/** A scanner that has sent no end key yet is taken to be done after this silence; a few letters are then not enough. */
const endlessSilenceMs = 1000;
const endlessLengthMin = 6;
/** After an end key comes at times a line feed, as another key. */
const afterEndMs = 100;
/** Keys that close before a scan may be its beginning, held up by a radio link or a busy device. */
const doubtMs = 1000;
/** The control character between the parts of a GS1 code. */
const groupSeparator = '\u001D';

/** The keys of one burst, and the field they go into, as it was before. */
type Burst = {
  text: string;
  startedAt: number;
  lastAt: number;
  keys: number;
  field: Editable | undefined;
  /** Digits that were typed with Alt, whose character is not complete yet. */
  altDigits: string;
  /** Whether a part of it is unknown, or keys that came shortly before may belong to it. */
  isDoubtful: boolean;
};

/** The keys before a burst, which were too slow for it. */
type Earlier = { lastAt: number; keys: number; isFast: boolean; isInField: boolean };

/**
 * Distinguishes a keyboard-wedge scanner from a person by its pace, wherever the focus is. Keys of a burst outside a field press no
 * button and reach no shortcut. Those within a field are typed there, and taken back once they turn out to be a scan; a field
 * that wants to be scanned into says `data-scan-target`, and keeps them.
 *
 * A scan of which a part may be missing is rejected, never delivered in part: keys that came up to a second before it may be its
 * beginning, unless a person typed them into a field; a key that cannot be read is a part of it; and a scanner that has sent an end
 * key before has not finished without one.
 */
export function createWedge(
  onScan: (value: string) => void,
  { prefix = '', suffix = '', leavesFields = false, onReject = () => {} }: WedgeOptions = {},
) {
  let burst: Burst | undefined;
  /** What was followed by silence. On a busy device it goes on with a key that was pressed in time. */
  let silenced: Burst | undefined;
  let earlier: Earlier | undefined;
  let isAltPressed = false;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  let sendsEndKeys = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function drop(): void {
    burst = undefined;
    clearTimeout(silence);
  }

  /** Ends a burst that cannot go on. What follows it shortly may be the rest of a scan. */
  function breakOff(): void {
    if (burst) earlier = laterThan(earlier, burst);
    drop();
  }

  /** Goes on with what was followed by silence, if the silence was not the scanner's. */
  function resume(event: KeyEvent): void {
    if (!burst && silenced && event.timeStamp - silenced.lastAt <= gapMaxOf(silenced)) burst = silenced;
    silenced = undefined;
  }

  /** Returns the burst that a key belongs to. */
  function goingOn(event: KeyEvent): Burst | undefined {
    resume(event);
    if (!burst || burst.field?.element !== editableOf(event.target)) return undefined;
    return event.timeStamp - burst.lastAt <= gapMaxOf(burst) ? burst : undefined;
  }

  function begin(event: KeyEvent, isDoubtful: boolean): Burst {
    if (burst) earlier = laterThan(earlier, burst);
    const field = editableOf(event.target);
    return {
      ...{ text: '', startedAt: event.timeStamp, lastAt: event.timeStamp, keys: 0, altDigits: '' },
      field: field && snapshotOf(field),
      isDoubtful: isDoubtful || mayBelong(earlier, event.timeStamp),
    };
  }

  function count(event: KeyEvent, counted: Burst): void {
    burst = counted;
    burst.keys += 1;
    burst.lastAt = event.timeStamp;
    clearTimeout(silence);
    if (!burst.field) silence = setTimeout(endInSilence, sendsEndKeys ? silenceMs : endlessSilenceMs);
  }

  function reject(atMs: number): void {
    rejectedAt = atMs;
    onReject();
  }

  function deliver({ text, isDoubtful, lastAt }: Burst): void {
    earlier = undefined;
    if (isDoubtful) {
      reject(lastAt);
      return;
    }
    let value = text;
    if (prefix !== '' && value.startsWith(prefix)) value = value.slice(prefix.length);
    if (suffix !== '' && value.endsWith(suffix)) value = value.slice(0, -suffix.length);
    const clean = cleanScan(value);
    if (clean !== undefined) onScan(clean);
  }

  function end(event: KeyEvent): void {
    resume(event);
    const done = burst;
    drop();
    if (done) finishCharacter(done);
    // What was entered with an end key is no part of a scan that follows.
    earlier = undefined;
    // A line feed after the end key, or the end key of a scan that was rejected, must not press a button.
    const isLeftOver = event.timeStamp - endedAt < afterEndMs || event.timeStamp - rejectedAt < doubtMs;
    if (isLeftOver && !done) {
      if (editableOf(event.target) === undefined) swallow(event);
      return;
    }
    if (!done || event.timeStamp - done.lastAt > doubtMs || !isScan(done)) return;
    if (done.field && !rewind(done.field)) return;
    swallow(event);
    endedAt = event.timeStamp;
    sendsEndKeys = true;
    deliver(done);
  }

  function add(event: KeyEvent, text: string): void {
    const before = goingOn(event);
    const now = before ?? begin(event, false);
    finishCharacter(now);
    now.text += text;
    count(event, now);
    if (before && !now.field) swallow(event);
  }

  function addAltDigit(event: KeyEvent, digit: string): void {
    const before = goingOn(event);
    // A digit without its Alt has others before it.
    const now = before ?? begin(event, !isAltPressed);
    isAltPressed = false;
    now.altDigits += digit;
    count(event, now);
    if (before && !now.field) swallow(event);
  }

  function pressAlt(event: KeyEvent): void {
    isAltPressed = true;
    const before = goingOn(event);
    if (!before) return;
    finishCharacter(before);
    count(event, before);
  }

  function releaseAlt(event: KeyEvent): void {
    isAltPressed = false;
    // Some scanners enter their end key in this way, too.
    if (burst && isEnd(finishCharacter(burst)) && isScan(burst)) end(event);
  }

  function addControl(event: KeyEvent, ends: boolean): void {
    const before = goingOn(event);
    if (!before || before.keys < 2 || !isFast(before)) {
      if (event.timeStamp - endedAt < afterEndMs) swallow(event);
      breakOff();
    } else if (ends) end(event);
    else {
      finishCharacter(before);
      before.text += groupSeparator;
      count(event, before);
      swallow(event);
    }
  }

  function addUnreadable(event: KeyEvent, begins: boolean): void {
    const before = goingOn(event);
    const now = before ?? (begins ? begin(event, true) : undefined);
    if (!now) {
      breakOff();
      return;
    }
    now.isDoubtful = true;
    count(event, now);
    // Keys such as arrows follow a letter quickly where a person walks through a list, any number of them.
    if (before && !now.field && (begins || now.text.length >= lengthMin)) swallow(event);
  }

  function endInSilence(): void {
    const done = burst;
    drop();
    if (!done) return;
    const hasEnded = isEnd(finishCharacter(done));
    const isLong = isScan(done) && done.keys >= endlessLengthMin;
    if (isLong && (hasEnded || !sendsEndKeys)) {
      deliver(done);
      return;
    }
    silenced = done;
    earlier = laterThan(earlier, done);
    if (isLong) reject(done.lastAt + silenceMs);
  }

  /** A listener for `keydown` and `keyup`, before all others. */
  return function onKey(event: KeyEvent): void {
    if (event.type === 'keyup') {
      if (event.key === 'Alt') releaseAlt(event);
      return;
    }
    const isField = editableOf(event.target) !== undefined;
    const stroke = keystrokeOf(event, isField);
    if (stroke.kind === 'modifier') return;
    if (stroke.kind !== 'other' && ((leavesFields && isField) || isScanTarget(event.target))) {
      drop();
      if (stroke.kind === 'end') earlier = undefined;
      return;
    }
    switch (stroke.kind) {
      case 'other':
        return breakOff();
      case 'end':
        return end(event);
      case 'text':
        return add(event, stroke.text);
      case 'alt':
        return pressAlt(event);
      case 'altDigit':
        return addAltDigit(event, stroke.digit);
      case 'control':
        return addControl(event, stroke.ends);
      case 'unreadable':
        return addUnreadable(event, stroke.begins);
    }
  };
}

/** Adds the character whose code was typed with Alt, and returns it. Without a known code a part of the scan is missing. */
function finishCharacter(burst: Burst): string {
  if (burst.altDigits === '') return '';
  const character = altCharacter(burst.altDigits);
  burst.altDigits = '';
  if (character === undefined) burst.isDoubtful = true;
  burst.text += character ?? '';
  return character ?? '';
}

function isEnd(character: string): boolean {
  return /^[\t\n\r]$/.test(character);
}

/**
 * Returns what came before the next burst, after one that was none: keys within a second of each other are one text.
 */
function laterThan(earlier: Earlier | undefined, { keys, startedAt, lastAt, field }: Burst): Earlier {
  const isOneText = earlier !== undefined && startedAt - earlier.lastAt <= doubtMs;
  const isFast = keys > 1 || (isOneText && earlier.isFast);
  const isInField = field !== undefined && (!isOneText || earlier.isInField);
  return { lastAt, keys: keys + (isOneText ? earlier.keys : 0), isFast, isInField };
}

/**
 * Returns whether keys that came before may be the beginning of a scan. Several slow ones in a field were typed by a
 * person.
 */
function mayBelong(earlier: Earlier | undefined, atMs: number): boolean {
  if (!earlier || atMs - earlier.lastAt > doubtMs) return false;
  return !earlier.isInField || earlier.isFast || earlier.keys < 2;
}

function gapMaxOf({ keys }: Burst): number {
  return keys < firstKeys ? firstGapMaxMs : gapMaxMs;
}

function swallow(event: KeyEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function isScan(burst: Burst): boolean {
  const { keys, text, field, isDoubtful } = burst;
  const lengthMinHere = field ? fieldLengthMin : lengthMin;
  return keys >= lengthMinHere && (isDoubtful || text.length >= lengthMinHere) && isFast(burst);
}

function isFast({ keys, startedAt, lastAt }: Burst): boolean {
  return (lastAt - startedAt) / Math.max(1, keys - 1) <= meanGapMaxMs;
}

function isScanTarget(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-scan-target]') !== null;
}
