import type { Page } from 'playwright-core';

const endKeys = { Enter: { keyCode: 13, text: '\r' }, Tab: { keyCode: 9, text: '' } };
const keyEveryMs = 4;

/** A pause within a scan, as by a radio link. */
export type Stall = { afterKeys: number; ms: number };

/**
 * Types like a scanner that acts as a keyboard. Uses the debugger, since each key event then contains its own time: on
 * a busy machine the keys of Playwright's keyboard would be as slow as a person's.
 */
export async function scan(page: Page, value: string, end: keyof typeof endKeys | Stall = 'Enter'): Promise<void> {
  const stall = typeof end === 'string' ? undefined : end;
  const endKey = typeof end === 'string' ? end : 'Enter';
  const session = await page.context().newCDPSession(page);
  const keys = Array.from(value, (key) => ({ key, text: key, keyCode: 0 }));
  let atMs = Date.now();
  let pressed = 0;
  const sent: Promise<unknown>[] = [];
  for (const { key, text, keyCode } of [...keys, { key: endKey, ...endKeys[endKey] }]) {
    if (pressed === stall?.afterKeys) atMs += stall.ms;
    pressed += 1;
    const common = { key, windowsVirtualKeyCode: keyCode, timestamp: atMs / 1000 };
    // All keys are sent at once: if each waited for the one before, a busy machine would make pauses between them.
    sent.push(
      session.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', text, ...common }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    );
    atMs += keyEveryMs;
  }
  await Promise.all(sent);
  await session.detach();
}
