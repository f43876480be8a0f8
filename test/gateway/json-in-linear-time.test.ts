import { describe, expect, test } from 'vitest';
import { JsonError, parseJson } from '../../gateway/json/parse-json.js';

const mib = 1024 * 1024;
/** Far above what linear work takes on a slow machine, far below what quadratic work on a mebibyte would. */
const linearMs = 2000;

/** `piece` after `piece`, separated by commas, about a mebibyte of it. */
function listOf(piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let length = 0; length < mib - 64; length += (pieces.at(-1)?.length ?? 0) + 1) pieces.push(piece(pieces.length));
  return pieces.join(',');
}

describe('a mebibyte of trouble takes linear time', () => {
  test.each<[string, () => string]>([
    ['opening brackets', () => '['.repeat(mib)],
    ['quotes', () => '"'.repeat(mib)],
    ['an open string', () => `"${'x'.repeat(mib)}`],
    ['backslashes', () => `"${'\\'.repeat(mib)}`],
    ['escapes', () => `"${'\\n'.repeat(mib / 2)}"`],
    ['unicode escapes', () => `"${'\\u0041'.repeat(mib / 6)}"`],
    ['strings with an escape', () => `[${listOf(() => '"\\n"')}]`],
    ['one integer', () => '1'.repeat(mib)],
    ['one fraction', () => `0.${'0'.repeat(mib)}1`],
    ['zeros behind the point', () => `1.${'0'.repeat(mib)}`],
    ['one exponent', () => `1e${'9'.repeat(mib)}`],
    ['one negative exponent', () => `1e-${'9'.repeat(mib)}`],
    ['zeros undone by the exponent', () => `0.${'0'.repeat(mib)}1e${mib + 1}`],
    ['long integers', () => `[${listOf(() => '9'.repeat(300))}]`],
    ['large exponents', () => `[${listOf(() => '1e308')}]`],
    ['keys', () => `{${listOf((index) => `"k${index}":1`)}}`],
    ['keys that are indexes', () => `{${listOf((index) => `"${index * 4096}":1`)}}`],
    ['objects with keys of their own', () => `[${listOf((index) => `{"k${index}":1}`)}]`],
    ['__proto__', () => `[${listOf(() => '{"__proto__":1}')}]`],
    ['white space', () => ' '.repeat(mib)],
  ])('%s', (_what, make) => {
    const bytes = Buffer.from(make());
    const startedAt = performance.now();
    try {
      parseJson(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(JsonError);
    }
    expect(performance.now() - startedAt).toBeLessThan(linearMs);
  });
});
