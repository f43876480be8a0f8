import { t } from '@lingui/core/macro';
import { numberText } from '../ui/quantity.js';

type Rewrite = readonly [pattern: RegExp, write: (...parts: string[]) => string];

const rewrites: readonly Rewrite[] = [
  [/^the payload is text, not JSON$/, () => t`The message is text, not JSON`],
  [/^the payload is binary \((?:of an unknown format)\), not JSON$/, () => t`The message is binary, not JSON`],
  [/^the payload is binary \((.+)\), not JSON$/, (format = '') => t`The message is binary (${format}), not JSON`],
  [/^the payload is not valid JSON: (.+)$/s, (why = '') => t`The message is not valid JSON: ${why}`],
  [
    /^the payload is nested deeper than (\d+) levels$/,
    (levels = '') => t`The message is nested deeper than ${levels} levels`,
  ],
  [/^the payload is no identifier of a tag$/, () => t`The message is not the identifier of a tag`],
  [/^the payload has none of the fields expected$/, () => t`The message has none of the expected fields`],
  [/^its reads could not be stored$/, () => t`Its reads could not be stored`],
  [/^the reader may not publish to this topic$/, () => t`The reader is not allowed to publish to this topic`],
  [
    /^the reader may not publish its last will to this topic$/,
    () => t`The reader is not allowed to publish its last will to this topic`,
  ],
  [
    /^the payload has (\d+) bytes, more than (\d+)$/,
    (size = '', max = '') =>
      t`The message has ${numberText(Number(size))} bytes; ${numberText(Number(max))} are allowed`,
  ],
  [/^the format (.*) failed on it$/s, (format = '') => t`The format ${format} can’t read this message`],
];

/**
 * Returns the app's text for why a message of a reader was rejected; a reason that the app does not know stays
 * unchanged.
 */
export function rejectionText(reason: string): string {
  for (const [pattern, write] of rewrites) {
    const found = pattern.exec(reason);
    if (found) return write(...found.slice(1));
  }
  return reason;
}
