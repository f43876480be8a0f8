import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { KeyEvent } from '../../web/scanning/keystroke.js';
import { createWedge } from '../../web/scanning/wedge.js';
import { useFakeTimers } from '../support/shared.js';

class Field {
  type = 'text';
  readOnly = false;
  isContentEditable = false;
  #text = '';
  get value() {
    return this.#text;
  }
  set value(text) {
    this.#text = text;
  }
  closest() {
    return null;
  }
  dispatchEvent() {
    return true;
  }
}

beforeEach(() => {
  useFakeTimers({ now: 0 });
  for (const name of ['HTMLInputElement', 'HTMLElement', 'Element']) vi.stubGlobal(name, Field);
  vi.stubGlobal('HTMLTextAreaElement', class TextArea extends Field {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type ScannerKey = Partial<KeyEvent> & { key: string; phase?: 'down' | 'up'; afterMs?: number };

/** A scanner and a keyboard on virtual time: each key comes a number of milliseconds after the previous one. */
function scanner(target: Field | null = null) {
  let focused = target;
  const scanned: string[] = [];
  const swallowed: string[] = [];
  const wedge = createWedge((value) => scanned.push(value), { onReject: () => scanned.push('rejected') });
  let lateMs = 0;
  function press(key: string, afterMs: number, more: Partial<KeyEvent> = {}): void {
    vi.advanceTimersByTime(afterMs);
    const event = {
      type: 'keydown',
      key,
      code: '',
      shiftKey: false,
      ctrlKey: false,
      altKey: false,
      metaKey: false,
      repeat: false,
      isComposing: false,
      timeStamp: Date.now() - lateMs,
      target: focused,
      preventDefault: () => swallowed.push(key),
      stopImmediatePropagation: () => {},
      getModifierState: () => false,
      ...more,
    };
    wedge(event as never);
  }
  return {
    scanned,
    swallowed,
    press,
    /** Presses the keys of a scanner, each a number of milliseconds after the previous one. */
    play(keys: readonly ScannerKey[], everyMs = 4) {
      vi.advanceTimersByTime(3000);
      for (const { key, phase, afterMs = everyMs, ...more } of keys) {
        if (phase !== 'up') press(key, afterMs, more);
        if (phase !== 'down') press(key, phase === 'up' ? afterMs : 0, { ...more, type: 'keyup' });
      }
    },
    /** Delivers the next keys later than they are pressed. */
    stall(ms: number) {
      vi.advanceTimersByTime(ms);
      lateMs += ms;
    },
    /** Takes the focus out of the field. */
    leave: () => {
      focused = null;
    },
    /** Types a text with one pace, after a pause. */
    type(text: string, { pauseMs = 3000, everyMs = 5 } = {}) {
      for (const [index, key] of Array.from(text).entries()) press(key, index === 0 ? pauseMs : everyMs);
    },
  };
}

test('a scan is delivered with its end key', () => {
  const { scanned, type, press } = scanner();
  type('E28011AA');
  press('Enter', 5);
  expect(scanned).toEqual(['E28011AA']);
});

test('arrows that follow a letter quickly move through a list', () => {
  const { swallowed, type, press } = scanner();
  type('r');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Home', 'ArrowDown', 'End']) press(key, 10);
  expect(swallowed).toEqual([]);
});

test.each([
  [1, 300],
  [2, 120],
  [4, 250],
  [4, 290],
  [5, 700],
  [8, 700],
])('a scan that stalls after %i keys for %i ms is rejected, and no part of it is sent', (keys, stallMs) => {
  const { scanned, type, press, swallowed } = scanner();
  type('ENDKEY');
  press('Enter', 5);
  type('E28011AABBCC'.slice(0, keys));
  type('E28011AABBCC'.slice(keys), { pauseMs: stallMs });
  press('Enter', 5);
  expect(new Set(scanned)).toEqual(new Set(['ENDKEY', 'rejected']));
  expect(swallowed.at(-1)).toBe('Enter');
});

test.each([3, 6, 8])('a scan whose keys after the first %i are delivered late by a busy device is not lost', (keys) => {
  const { scanned, type, press, stall } = scanner();
  type('ENDKEY');
  press('Enter', 5);
  type('E28011AA'.slice(0, keys));
  stall(700);
  type('E28011AA'.slice(keys), { pauseMs: 5 });
  press('Enter', 5);
  expect(scanned.at(-1)).toBe('E28011AA');
});

test('a scan that stalls at its end key is not lost', () => {
  const { scanned, type, press } = scanner();
  type('E2801');
  press('Enter', 250);
  expect(scanned).toEqual(['E2801']);
});

test('a scanner that sends end keys has not finished without one', () => {
  const { scanned, type, press } = scanner();
  type('FIRST1');
  press('Enter', 5);
  type('E28011AA');
  vi.advanceTimersByTime(400);
  expect(scanned).toEqual(['FIRST1', 'rejected']);
});

test('a scanner without an end key is done after a silence', () => {
  const { scanned, type } = scanner();
  type('E28011AA');
  vi.advanceTimersByTime(1100);
  expect(scanned).toEqual(['E28011AA']);
});

test('what a person types into a field before a scan does not reject it', () => {
  const { scanned, type, press } = scanner(new Field());
  type('Do', { everyMs: 120 });
  type('LOC-SHELF', { pauseMs: 150 });
  press('Enter', 5);
  expect(scanned).toEqual(['LOC-SHELF']);
});

test('what a person types into a field before a scan outside of it does not reject it', () => {
  const { scanned, type, press, leave } = scanner(new Field());
  type('Dock', { everyMs: 120 });
  leave();
  type('E28011AA', { pauseMs: 500 });
  press('Enter', 5);
  expect(scanned).toEqual(['E28011AA']);
});

test('what a person types and enters right before a scan does not reject it', () => {
  const field = scanner(new Field());
  field.type('4006', { everyMs: 120 });
  field.press('Enter', 120);
  const { scanned, type, press } = field;
  field.leave();
  type('E28011AA', { pauseMs: 300 });
  press('Enter', 5);
  expect(scanned).toEqual(['E28011AA']);
});

test('the next scan after a rejected one is delivered', () => {
  const { scanned, type, press } = scanner();
  type('E280');
  type('11AABBCC', { pauseMs: 250 });
  press('Enter', 5);
  type('E28011AA', { pauseMs: 1500 });
  press('Enter', 5);
  expect(scanned).toEqual(['rejected', 'E28011AA']);
});

const gs1Value = '010400638133393110LOT4217261231';

/** The keys of a code with a separator in its middle, which is typed in some way. */
function withSeparator(...separator: ScannerKey[]): ScannerKey[] {
  const text = (part: string) => Array.from(part, (key): ScannerKey => ({ key }));
  return [...text('010400638133393110LOT42'), ...separator, ...text('17261231'), { key: 'Enter' }];
}

function withControl(key: string, code: string): ScannerKey[] {
  const control = { key: 'Control', code: 'ControlLeft' };
  return withSeparator({ ...control, phase: 'down' }, { key, code, ctrlKey: true }, { ...control, phase: 'up' });
}

/** Keys of the keypad with Alt held. */
function altCode(digits: string, alt: Partial<ScannerKey> = {}): ScannerKey[] {
  const held = Array.from(digits, (key): ScannerKey => ({ key, code: `Numpad${key}`, altKey: true, ...alt }));
  return [{ key: 'Alt', code: 'AltLeft', phase: 'down' }, ...held, { key: 'Alt', code: 'AltLeft', phase: 'up' }];
}

const filed = (name: string): ScannerKey[] =>
  (JSON.parse(readFileSync(new URL(`wedge-cases/${name}.json`, import.meta.url), 'utf8')) as { keys: ScannerKey[] })
    .keys;

describe('a scan is delivered whole', () => {
  test.each([
    ['Ctrl with the key beside P on a German layout', filed('separator-as-control-plus-german-layout')],
    ['Alt+0029 on the keypad', filed('separator-as-alt-0029')],
    ['Ctrl with the same key on a French layout', withControl('$', 'BracketRight')],
    ['Ctrl+] on a US layout', withControl(']', 'BracketRight')],
    ['Ctrl+5, as terminals have it', withControl('5', 'Digit5')],
    ['Ctrl with a dead key', withControl('Dead', 'BracketLeft')],
    ['Ctrl with a letter', withControl('d', 'KeyD')],
    ['Alt+29 on a keypad without its lock', withSeparator(...altCode('29', { key: 'End' }))],
    ['nothing', withSeparator()],
  ])('if its separator is %s', (_, keys) => {
    for (const target of [null, new Field()]) {
      const { scanned, play } = scanner(target);
      play(keys);
      expect(scanned).toEqual([gs1Value]);
    }
  });

  test.each([
    ['E28011', filed('every-character-as-alt-code')],
    ['LOC-7', [...Array.from('LOC-7', (one) => altCode(`0${one.charCodeAt(0)}`)).flat(), { key: 'Enter' }]],
    ['Café-9', [...Array.from('Café-9', (one) => altCode(`0${one.charCodeAt(0)}`)).flat(), { key: 'Tab' }]],
    ['ABCD', ['65', '66', '67', '68', '013', '010'].flatMap((code) => altCode(code))],
    [
      gs1Value,
      Array.from(`${gs1Value.slice(0, 23)}\u001D${gs1Value.slice(23)}`).flatMap((one) =>
        altCode(`0${one.charCodeAt(0)}`),
      ),
    ],
  ])('if every character is typed as Alt and a code: %s', (value, keys) => {
    const { scanned, play } = scanner();
    play(keys, 8);
    vi.advanceTimersByTime(1100);
    expect(scanned).toEqual([value]);
  });
});

describe('a scan with an unreadable part is rejected', () => {
  const text = (part: string) => Array.from(part, (key): ScannerKey => ({ key }));
  test.each([
    ['a dead key within it', withSeparator({ key: 'Dead', code: 'Equal' })],
    ['a dead key at its beginning', [{ key: 'Dead', code: 'Backquote' }, ...text('E28011AA'), { key: 'Enter' }]],
    ['a key that the browser does not know', withSeparator({ key: 'Unidentified' })],
    ['nothing but such keys', [...text('E28011').map(() => ({ key: 'Unidentified' })), { key: 'Enter' }]],
    ['a function key', withSeparator({ key: 'F8', code: 'F8' })],
    ['a code of no character', withSeparator(...altCode('0999'))],
    ['a code that each system reads in its own way', withSeparator(...altCode('220'))],
    ['Alt with the digits above the letters', withSeparator({ key: '2', code: 'Digit2', altKey: true })],
    ['a key that repeats itself', withSeparator({ key: '2', repeat: true })],
    ['a pause before its separator', withSeparator({ key: ']', code: 'BracketRight', ctrlKey: true, afterMs: 260 })],
    ['a pause within a code', withSeparator(...altCode('0029').map((key) => ({ ...key, afterMs: 260 })))],
    [
      'a pause after its separator',
      [
        ...withControl('+', 'BracketRight').slice(0, 26),
        { key: '1', afterMs: 400 },
        ...text('7261231'),
        { key: 'Enter' },
      ],
    ],
  ])('%s', (_, keys) => {
    const { scanned, play } = scanner();
    play(keys);
    vi.advanceTimersByTime(1100);
    expect(new Set(scanned)).toEqual(new Set(['rejected']));
  });
});

test('a shortcut of a person stays one, and a scan after it is delivered', () => {
  const { scanned, swallowed, press, type } = scanner(new Field());
  type('Dock', { everyMs: 120 });
  press('Control', 120, { ctrlKey: true });
  press('a', 60, { ctrlKey: true, code: 'KeyA' });
  expect(swallowed).toEqual([]);
  type('E28011AA', { pauseMs: 400 });
  press('Enter', 5);
  expect(scanned).toEqual(['E28011AA']);
});
