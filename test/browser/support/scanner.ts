import type { Page } from 'playwright-core';

const endKeys = { Enter: { keyCode: 13, text: '\r' }, Tab: { keyCode: 9, text: '' } };
const keyEveryMs = 4;

/**
 * Scans as a scanner does that is a keyboard to the device. Through the debugger, since each key then says itself when it
 * was pressed: a busy machine would make the keys of Playwright's own keyboard as slow as a person's.
 */
export async function scan(page: Page, value: string, end: keyof typeof endKeys = 'Enter'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const keys = Array.from(value, (key) => ({ key, text: key, keyCode: 0 }));
  let atMs = Date.now();
  for (const { key, text, keyCode } of [...keys, { key: end, ...endKeys[end] }]) {
    const common = { key, windowsVirtualKeyCode: keyCode, timestamp: atMs / 1000 };
    // The next key is not pressed before this one is let go, or a letter that comes twice would be one that is held down.
    await Promise.all([
      session.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', text, ...common }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    ]);
    atMs += keyEveryMs;
  }
  await session.detach();
}
