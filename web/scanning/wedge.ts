import { cleanScan } from './scan-value.js';
import { type Editable, editableOf, rewind, snapshotOf } from './editable.js';
import { altCharacter, type KeyEvent, keystrokeOf } from './keystroke.js';

export type WedgeOptions = {
  /** The prefix and suffix that the scanner is configured to add; removed if present. */
  prefix?: string;
  suffix?: string;
  /** Whether a scan into a field stays there, as if typed. */
  leavesFields?: boolean;
  /** Called instead of `onScan` for a scan that may be incomplete. */
  onReject?: () => void;
};

/** Nobody types as fast as a scanner on average, but a radio link or a busy device may delay one of its keys. */
const gapMaxMs = 200;
/** At the beginning of a scan nothing is delayed yet, so a longer gap separates typed text from a scan. */
const firstGapMaxMs = 80;
const firstKeys = 3;
const meanGapMaxMs = 45;
const lengthMin = 3;
/** In a field, where people type, a scan must be longer. */
const fieldLengthMin = 4;
/** A scanner that sends end keys has not finished after this silence. */
const silenceMs = 300;
/**
 * If a scanner has never sent an end key, its scan is complete after this silence, but only with more than a few
 * letters.
 */
const endlessSilenceMs = 1000;
const endlessLengthMin = 6;
/** Some scanners send a line feed after the end key, as another key. */
const afterEndMs = 100;
/** Keys this shortly before a scan may be its beginning, delayed by a radio link or a busy device. */
const doubtMs = 1000;
/** The control character between the parts of a GS1 code. */
const groupSeparator = '\u001D';

/** The keys of one burst, and the state of their field before the burst. */
type Burst = {
  text: string;
  startedAt: number;
  lastAt: number;
  keys: number;
  field: Editable | undefined;
  /** Digits that were typed with Alt, whose character is not complete yet. */
  altDigits: string;
  /** Whether a part of the burst is unknown, or earlier keys may belong to it. */
  isDoubtful: boolean;
};

/** The keys before a burst, which were too slow to be a part of it. */
type Earlier = { lastAt: number; keys: number; isFast: boolean; isInField: boolean };

/**
 * Distinguishes a keyboard-wedge scanner from a person by its speed, wherever the focus is. Outside of fields, the keys
 * of a burst press no button and trigger no shortcut. In a field the keys are typed, and removed once they turn out to
 * be a scan; a field with `data-scan-target` keeps them.
 *
 * A scan that may be incomplete is rejected, never delivered in part. It may be incomplete if keys came up to a second
 * before it, unless a person typed them into a field; if it contains a key that cannot be read; or if the scanner has
 * sent end keys before and this scan has none.
 */
export function createWedge(
  onScan: (value: string) => void,
  { prefix = '', suffix = '', leavesFields = false, onReject = () => {} }: WedgeOptions = {},
) {
  let burst: Burst | undefined;
  /** The burst that was followed by silence. On a busy device it continues with a key that was pressed in time. */
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

  /** Ends a burst that cannot continue. Keys that follow shortly may be the rest of a scan. */
  function breakOff(): void {
    if (burst) earlier = laterThan(earlier, burst);
    drop();
  }

  /** Continues the burst that was followed by silence, if the device caused the silence and not the scanner. */
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
      text: '',
      startedAt: event.timeStamp,
      lastAt: event.timeStamp,
      keys: 0,
      altDigits: '',
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
    // Text that was entered with an end key is not part of the next scan.
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
    // A digit whose Alt key is missing belongs to earlier digits.
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
    // Some scanners send their end key in this way, too.
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
    // When a person moves through a list, any number of keys such as arrows can follow a letter quickly.
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

  /** The listener for `keydown` and `keyup`, which has to run before all others. */
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

/** Adds the character whose code was typed with Alt, and returns it. If the code is unknown, the scan is incomplete. */
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
 * Returns the earlier keys for the next burst, after a burst that was not a scan. Keys within a second of each other
 * are one text.
 */
function laterThan(earlier: Earlier | undefined, { keys, startedAt, lastAt, field }: Burst): Earlier {
  const isOneText = earlier !== undefined && startedAt - earlier.lastAt <= doubtMs;
  const isFast = keys > 1 || (isOneText && earlier.isFast);
  const isInField = field !== undefined && (!isOneText || earlier.isInField);
  return { lastAt, keys: keys + (isOneText ? earlier.keys : 0), isFast, isInField };
}

/** Returns whether earlier keys may be the beginning of a scan. Several slow keys in a field were typed by a person. */
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
