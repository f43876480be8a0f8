import type { Page } from 'playwright-core';

/** Resolves when the page shows an element with exactly this text. */
export const shows = (page: Page, text: string): Promise<void> => page.getByText(text, { exact: true }).waitFor();
