import { cleanScan } from './scan-value.js';
import { type Editable, editableOf, rewind, snapshotOf } from './editable.js';

export type WedgeOptions = {
  /** What the scanner is set to put before and after each value; taken off where it is there. */
  prefix?: string;
  suffix?: string;
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
/** A scanner set to no end key is taken to be done after this silence; a few letters are then not enough. */
const silenceMs = 300;
const endlessLengthMin = 6;
/** After an end key comes at times a line feed, as another key. */
const afterEndMs = 100;
/** Keys that close before a scan may be its beginning, held up by a radio link or a busy device. */
const doubtMs = 1000;

const endKeys = new Set(['Enter', 'Tab']);
const bareModifiers = new Set(['Shift', 'CapsLock', 'NumLock', 'AltGraph', 'Alt', 'Control']);

/** The keys of one burst, and the field they go into, as it was before. */
type Burst = {
  text: string;
  startedAt: number;
  lastAt: number;
  keys: number;
  field: Editable | undefined;
  /** Whether keys that came shortly before may belong to it. */
  isDoubtful: boolean;
};

/** The keys before a burst, which were too slow for it. */
type Earlier = { lastAt: number; keys: number; isFast: boolean; isInField: boolean };

type KeyEvent = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat' | 'isComposing' | 'timeStamp' | 'target'
> &
  Pick<KeyboardEvent, 'preventDefault' | 'stopImmediatePropagation' | 'getModifierState'>;

/**
 * Distinguishes a keyboard-wedge scanner from a person by its pace, wherever the focus is. Keys of a burst outside a field press no
 * button and reach no shortcut. Those within a field are typed there, and taken back once they turn out to be a scan; a field
 * that wants to be scanned into says `data-scan-target`, and keeps them.
 *
 * A scan of which the beginning or the end may be missing is rejected, never delivered in part: keys that came up to a second
 * before it may be its beginning, unless a person typed them into a field; and a scanner that has sent an end key before has not
 * finished without one.
 */
export function createWedge(
  onScan: (value: string) => void,
  { prefix = '', suffix = '', onReject = () => {} }: WedgeOptions = {},
) {
  let burst: Burst | undefined;
  /** What was followed by silence. On a busy device it goes on with a key that was pressed in time. */
  let silenced: Burst | undefined;
  let earlier: Earlier | undefined;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  let sendsEndKeys = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function drop(): void {
    burst = undefined;
    clearTimeout(silence);
  }

  /** Goes on with what was followed by silence, if the silence was not the scanner's. */
  function resume(event: KeyEvent): void {
    if (!burst && silenced && event.timeStamp - silenced.lastAt <= gapMaxOf(silenced)) burst = silenced;
    silenced = undefined;
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
    const field = editableOf(event.target);
    resume(event);
    if (burst && burst.field?.element === field && event.timeStamp - burst.lastAt <= gapMaxOf(burst)) {
      burst.text += text;
      burst.keys += 1;
      burst.lastAt = event.timeStamp;
      if (!field) swallow(event);
    } else {
      if (burst) earlier = laterThan(earlier, burst);
      const isDoubtful = mayBelong(earlier, event.timeStamp);
      const before = field && snapshotOf(field);
      burst = { text, startedAt: event.timeStamp, lastAt: event.timeStamp, keys: 1, field: before, isDoubtful };
    }
    clearTimeout(silence);
    if (!field) silence = setTimeout(endInSilence, silenceMs);
  }

  function endInSilence(): void {
    const done = burst;
    drop();
    if (!done) return;
    const isLong = isScan(done) && done.keys >= endlessLengthMin;
    if (isLong && !sendsEndKeys) {
      deliver(done);
      return;
    }
    silenced = done;
    earlier = laterThan(earlier, done);
    if (isLong) reject(done.lastAt + silenceMs);
  }

  /** A listener for `keydown`, before all others. */
  return function onKeyDown(event: KeyEvent): void {
    if (bareModifiers.has(event.key)) return;
    const isField = editableOf(event.target) !== undefined;
    if (event.repeat || event.metaKey || (isField && event.isComposing)) {
      drop();
      return;
    }
    if (isScanTarget(event.target)) {
      drop();
      if (endKeys.has(event.key)) earlier = undefined;
      return;
    }
    if (endKeys.has(event.key)) {
      end(event);
      return;
    }
    const text = textOf(event);
    if (text === undefined || (isField && event.key !== text)) drop();
    else if (text === '') swallow(event);
    else add(event, text);
  };
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

function isScan({ keys, startedAt, lastAt, field }: Burst): boolean {
  const meanGapMs = (lastAt - startedAt) / Math.max(1, keys - 1);
  return keys >= (field ? fieldLengthMin : lengthMin) && meanGapMs <= meanGapMaxMs;
}

function isScanTarget(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-scan-target]') !== null;
}

/** The keys of a US keyboard by position: what an input method hides of a key, outside of fields, is taken from here. */
const unshifted = new Map(
  Object.entries({
    Minus: '-_',
    Equal: '=+',
    BracketLeft: '[{',
    BracketRight: ']}',
    Backslash: '\\|',
    Semicolon: ';:',
    Quote: '\'"',
    Backquote: '`~',
    Comma: ',<',
    Period: '.>',
    Slash: '/?',
    Space: '  ',
  }),
);
const shiftedDigits = ')!@#$%^&*(';

/**
 * Returns the text of a key; empty for a separator that scanners send as a control key, undefined for what writes
 * nothing.
 */
function textOf(event: KeyEvent): string | undefined {
  const isAltGraph = event.getModifierState('AltGraph');
  if ((event.ctrlKey || event.altKey) && !isAltGraph) return event.ctrlKey && event.key === ']' ? '' : undefined;
  if (Array.from(event.key).length === 1) return event.key;
  if (event.key !== 'Process' && event.key !== 'Unidentified') return undefined;
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
  if (letter !== undefined) return event.shiftKey ? letter : letter.toLowerCase();
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
  if (digit !== undefined) return event.shiftKey ? shiftedDigits[Number(digit)] : digit;
  return unshifted.get(event.code)?.[event.shiftKey ? 1 : 0];
}
