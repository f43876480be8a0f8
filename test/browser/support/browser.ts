import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './find-program.js';

/** Starts the installed Chromium without telemetry; with further switches if given. */
export function launchBrowser(switches: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findProgram(['chromium', 'chromium-browser', 'google-chrome']),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // The cameras and microphones of the tests are fake, and no permission is asked for.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...switches,
    ],
  });
}
