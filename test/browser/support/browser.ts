import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './find-program.js';

/**
 * Popups of the address bar, which nobody sees here: for each context a Chromium with windows would load two large pages of its
 * own. They are added to the features that Playwright disables.
 */
const disabledFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** Starts the installed Chromium without telemetry; with further switches if given. */
export function launchBrowser(switches: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: path.join(import.meta.dirname, 'chromium.sh'),
    env: {
      ...process.env,
      CHROMIUM: findProgram(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']),
      MORE_DISABLED_FEATURES: disabledFeatures.join(','),
    },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Optimizing scripts that run a few times takes longer than it saves.
      '--js-flags=--no-opt,--no-maglev',
      // The cameras and microphones of the tests are fake, and no permission is asked for.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      ...switches,
    ],
  });
}

/** The Chromium of the test process, which ends with it: starting one takes as long as a page. */
let shared: Promise<Browser> | undefined;

/** Returns the Chromium that the test files of this process share. Each person has a context of their own in it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}
