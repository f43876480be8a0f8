import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWedge } from '../../web/scanning/wedge.js';

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
  vi.useFakeTimers({ now: 0 });
  for (const name of ['HTMLInputElement', 'HTMLElement', 'Element']) vi.stubGlobal(name, Field);
  vi.stubGlobal('HTMLTextAreaElement', class TextArea extends Field {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A scanner and a keyboard on virtual time: each key comes a number of milliseconds after the previous one. */
function scanner(target: Field | null = null) {
  let focused = target;
  const scanned: string[] = [];
  const swallowed: string[] = [];
  const wedge = createWedge((value) => scanned.push(value), { onReject: () => scanned.push('rejected') });
  let lateMs = 0;
  function press(key: string, afterMs: number): void {
    vi.advanceTimersByTime(afterMs);
    const event = {
      ...{ key, code: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false },
      ...{ repeat: false, isComposing: false, timeStamp: Date.now() - lateMs, target: focused },
      preventDefault: () => swallowed.push(key),
      stopImmediatePropagation: () => {},
      getModifierState: () => false,
    };
    wedge(event as never);
  }
  return {
    scanned,
    swallowed,
    press,
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
  vi.advanceTimersByTime(400);
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
