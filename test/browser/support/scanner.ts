import type { Page } from 'playwright-core';

const endKeys = { Enter: { keyCode: 13, text: '\r' }, Tab: { keyCode: 9, text: '' } };

/**
 * Scans as a scanner does that is a keyboard to the device: all keys at once, without a wait for the page. Through the
 * debugger, since Playwright's own keyboard waits for each key, which a busy machine makes as slow as a person.
 */
export async function scan(page: Page, value: string, end: keyof typeof endKeys = 'Enter'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const keys = Array.from(value, (key) => ({ key, text: key, keyCode: 0 }));
  const events = [...keys, { key: end, ...endKeys[end] }].flatMap(({ key, text, keyCode }) => {
    const common = { key, windowsVirtualKeyCode: keyCode };
    return [
      session.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', text, ...common }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
    ];
  });
  await Promise.all(events);
  await session.detach();
}
