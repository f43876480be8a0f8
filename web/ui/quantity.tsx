import { formats } from './formats.js';

const sizes = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** A size in bytes, in the unit that suits it: `812 bytes`, `3.4 MB`. */
export function dataSize(bytes: number): string {
  const [unit, least] = sizes.find(([, size]) => bytes >= size) ?? [];
  return unit ? `${formats().number.format(Math.round((10 * bytes) / least) / 10)} ${unit}` : quantity(bytes, 'byte');
}

/** A number with its unit: `1 asset`, `12,345 assets`. The plural is the unit with an s unless it is given. */
export function quantity(n: number, unit: string, plural = `${unit}s`): string {
  return `${formats().number.format(n)} ${n === 1 ? unit : plural}`;
}
