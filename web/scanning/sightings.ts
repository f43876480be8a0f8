import type { FoundCode } from './found-codes.js';
import { cleanScan } from './scan-value.js';

/** A code that stays in the frame is one scan. After it was away for this long, it is another scan. */
const awayMs = 2000;
/** Formats without a check digit, which are easily misread. */
const weakFormats = new Set(['codabar', 'code_39', 'itf']);
/** The first picture of several codes often shows only one of them, and a misread code is not seen twice. */
const looksMin = 2;

/**
 * Returns a function that gets the codes found in each picture, and returns the values of codes that appeared together:
 * each code once while it stays. While `isPaused`, no new codes are accepted.
 */
export function createSightings(
  now: () => number = () => performance.now(),
): (codes: readonly FoundCode[], isPaused?: boolean) => string[] {
  const seen = new Map<string, { lastAt: number; looks: number; isTaken: boolean }>();
  return function look(codes, isPaused = false) {
    const at = now();
    for (const [value, { lastAt }] of seen) if (at - lastAt > awayMs) seen.delete(value);
    const values = new Map<string, string>();
    for (const { value: text, format } of codes) {
      const value = cleanScan(text);
      if (value === undefined || (isPaused && !seen.has(value))) continue;
      values.set(value, format);
      const { looks = 0, isTaken = false } = seen.get(value) ?? {};
      seen.set(value, { lastAt: at, looks: looks + 1, isTaken });
    }
    const isSure = (value: string) => (seen.get(value)?.looks ?? 0) >= looksMin;
    const open = [...values.keys()].filter((value) => !seen.get(value)?.isTaken);
    if (isPaused || !open.some(isSure)) return [];
    const found = open.filter((value) => isSure(value) || !weakFormats.has(values.get(value) ?? ''));
    for (const value of found) seen.set(value, { lastAt: at, looks: looksMin, isTaken: true });
    return found;
  };
}
