import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './find-program.js';

/** Features of Chromium that the tests do without. Chromium reads the last such list only, so it has those of Playwright too. */
const disabledFeatures = [
  // Popups of the address bar, which nobody sees here: for each context Chromium would load two large pages of its own.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // What Playwright disables.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

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
      `--disable-features=${disabledFeatures.join(',')}`,
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
