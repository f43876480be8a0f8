import { formats } from './formats.js';

/** A number with its unit: `1 asset`, `12,345 assets`. The plural is the unit with an s unless it is given. */
export function quantity(n: number, unit: string, plural = `${unit}s`): string {
  return `${formats().number.format(n)} ${n === 1 ? unit : plural}`;
}
