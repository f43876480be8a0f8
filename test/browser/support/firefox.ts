import puppeteer, { type Browser } from 'puppeteer-core';
import { findProgram } from './find-program.js';

/**
 * Starts the installed Firefox, as Mozilla or Debian built it, and drives it by WebDriver BiDi. Playwright's driver for that needs
 * commands that releases with long support don't have.
 */
export function launchFirefox(): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    // The time limit of a hook, since other programs may use the processors as well.
    timeout: 120_000,
    executablePath: findProgram(['firefox-esr', 'firefox']),
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, 'intl.accept_languages': 'en-GB' },
    defaultViewport: { width: 1280, height: 800 },
  });
}
