import type { Page } from 'playwright-core';
import { emptyDocument } from './pages.js';

const endKeys = { Enter: { keyCode: 13, text: '\r' }, Tab: { keyCode: 9, text: '' } };
const keyEveryMs = 4;

/** Lets scans wait for the button that sends them, as a person can choose on the scan page. */
export async function sendByButton(page: Page): Promise<void> {
  await page.goto(emptyDocument);
  await page.evaluate(() => localStorage.setItem('whereabouts-scan-auto-send', 'off'));
}

/** A pause within a scan, as by a radio link. */
export type Stall = { afterKeys: number; ms: number };

/**
 * Types like a scanner that acts as a keyboard. Uses the debugger, since each key event then contains its own time: on
 * a busy machine the keys of Playwright's keyboard would be as slow as a person's.
 */
export async function scan(page: Page, value: string, end: keyof typeof endKeys | Stall = 'Enter'): Promise<void> {
  const stall = typeof end === 'string' ? undefined : end;
  const endKey = typeof end === 'string' ? end : 'Enter';
  let atMs = Date.now();
  const strokes = [...keysOf(value), { key: endKey, ...endKeys[endKey] }].map((key, index) => {
    if (index === stall?.afterKeys) atMs += stall.ms;
    return { ...key, atMs: atMs + index * keyEveryMs };
  });
  await press(page, strokes);
}

/** Types like a person, with a pause between the keys. On a busy machine the browser would get those of Playwright's keyboard at once. */
export async function typeByHand(page: Page, text: string, everyMs: number): Promise<void> {
  const keys = keysOf(text);
  const firstMs = Date.now() - keys.length * everyMs;
  await press(
    page,
    keys.map((key, index) => ({ ...key, atMs: firstMs + index * everyMs })),
  );
}

/** A key of a scanner as browsers report it; pressed and released unless it has a phase. */
export type ScannerKey = { key: string; code?: string; altKey?: boolean; ctrlKey?: boolean; phase?: 'down' | 'up' };

/** Presses the keys of a scanner that types more than text. */
export async function scanKeys(page: Page, keys: readonly ScannerKey[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const startMs = Date.now();
  const sent = keys.flatMap(({ key, code = '', altKey = false, ctrlKey = false, phase }, index) => {
    const modifiers = (altKey ? 1 : 0) + (ctrlKey ? 2 : 0);
    const isText = modifiers === 0 && Array.from(key).length === 1;
    const common = { key, code, modifiers, timestamp: (startMs + index * keyEveryMs) / 1000 };
    const down = { type: isText ? 'keyDown' : 'rawKeyDown', ...(isText && { text: key }), ...common } as const;
    return [
      ...(phase === 'up' ? [] : [session.send('Input.dispatchKeyEvent', down)]),
      ...(phase === 'down' ? [] : [session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common })]),
    ];
  });
  await Promise.all(sent);
  await session.detach();
}

type Key = { key: string; text: string; keyCode: number };

function keysOf(text: string): Key[] {
  return Array.from(text, (key) => ({ key, text: key, keyCode: 0 }));
}

async function press(page: Page, strokes: readonly (Key & { atMs: number })[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // All keys are sent at once: if each waited for the one before, a busy machine would make pauses between them.
  const sent = strokes.flatMap(({ key, text, keyCode, atMs }) => {
    const common = { key, windowsVirtualKeyCode: keyCode, timestamp: atMs / 1000 };
    return [
      session.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', text, ...common }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    ];
  });
  await Promise.all(sent);
  await session.detach();
}
