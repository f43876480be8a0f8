import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Violation = { rule: string; help: string; elements: string[] };

/** Half the size of the module, which each page would have to read. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const window: { axe?: { run(context: unknown, options: object): Promise<AxeResults> } };

/**
 * Resolves when no table shows faint rows of before, each dialog has its name, which Mantine sets in an effect after the
 * dialog is shown, the fonts have arrived, which change the size of texts, and no finite animation is running any more. A dialog
 * that never gets a name ends in a time-out.
 */
export async function settled(page: Page): Promise<void> {
  const unsettled = '[data-stale="true"], [role="dialog"]:not([aria-labelledby], [aria-label])';
  await page.waitForFunction((selector) => document.querySelector(selector) === null, unsettled);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

async function violationsOf(page: Page, options: object): Promise<Violation[]> {
  // Evaluated through the debugger, so that the page's own policy need not allow it. A page has it until it is loaded again.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axeSource);
  await settled(page);
  const violations = await page.evaluate(async (given) => (await window.axe?.run(document, given))?.violations, {
    resultTypes: ['violations'],
    // Style sheets and media, which no rule that is on here needs.
    preload: false,
    ...options,
  });
  if (!violations) throw new Error(`axe has not run on ${page.url()}`);
  return violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    elements: nodes.map(({ target, html, failureSummary }) => `${target.join(' ')}\n${html}\n${failureSummary ?? ''}`),
  }));
}

const inScheme = (colorScheme: 'dark' | 'light') => `html[data-mantine-color-scheme="${colorScheme}"]`;

export async function showIn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForSelector(inScheme(colorScheme));
}

/** Expects that axe finds nothing on the page as it is, and no faint text in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page, {}), `axe, ${page.url()}`).toEqual([]);
  if ((await page.locator(inScheme('dark')).count()) > 0) return;
  await showIn(page, 'dark');
  const faint = await violationsOf(page, { runOnly: ['color-contrast'] });
  await showIn(page, 'light');
  expect(faint, `axe in the dark, ${page.url()}`).toEqual([]);
}

/** Returns the controls that are smaller than `px` and too close to others; 24 is the size of WCAG 2.2, 2.5.8. */
export async function smallTargets(page: Page, px: 24 | 44): Promise<string[]> {
  const checks = { 'target-size': { options: { minSize: px } }, 'target-offset': { options: { minOffset: px } } };
  const found = await violationsOf(page, { runOnly: { type: 'rule', values: ['target-size'] }, checks });
  return found.flatMap(({ elements }) => elements);
}

/** Expects that nothing is wider than the page on a small phone; the page keeps its size afterwards. */
export async function expectFits(page: Page, width = 360): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 740 });
  await settled(page);
  const tooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return undefined;
      const wide = [...document.body.querySelectorAll('*')].filter(
        (one) => one.getBoundingClientRect().right > clientWidth,
      );
      const what = wide.map((one) => `${one.tagName}.${one.className} “${one.textContent.slice(0, 40)}”`);
      return `${scrollWidth} in ${clientWidth}, by ${what.join(', ')}`;
    });
  // Charts take the width of their page a moment after it has changed.
  await expect.poll(tooWide, { message: `the width of ${page.url()}` }).toBeUndefined();
  if (before) await page.setViewportSize(before);
}
