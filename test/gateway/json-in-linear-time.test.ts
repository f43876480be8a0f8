import { describe, expect, test } from 'vitest';
import { JsonError, type JsonErrorKind, parseJson } from '../../gateway/json/parse-json.js';

const mib = 1024 * 1024;

/** `piece` after `piece`, separated by commas, about a mebibyte of it. */
function listOf(piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let length = 0; length < mib - 64; length += (pieces.at(-1)?.length ?? 0) + 1) pieces.push(piece(pieces.length));
  return pieces.join(',');
}

function outcomeOf(bytes: Buffer): 'parsed' | JsonErrorKind {
  try {
    parseJson(bytes);
    return 'parsed';
  } catch (error) {
    if (error instanceof JsonError) return error.kind;
    throw error;
  }
}

// Work that grew with the square of the length would take far longer than a test may.
describe('a mebibyte of trouble takes linear time', () => {
  test.each<[string, 'parsed' | JsonErrorKind, () => string]>([
    ['opening brackets', 'depth', () => '['.repeat(mib)],
    ['quotes', 'syntax', () => '"'.repeat(mib)],
    ['an open string', 'syntax', () => `"${'x'.repeat(mib)}`],
    ['backslashes', 'syntax', () => `"${'\\'.repeat(mib)}`],
    ['escapes', 'parsed', () => `"${'\\n'.repeat(mib / 2)}"`],
    ['unicode escapes', 'parsed', () => `"${'\\u0041'.repeat(mib / 6)}"`],
    ['strings with an escape', 'parsed', () => `[${listOf(() => '"\\n"')}]`],
    ['one integer', 'parsed', () => '1'.repeat(mib)],
    ['one fraction', 'parsed', () => `0.${'0'.repeat(mib)}1`],
    ['zeros behind the point', 'parsed', () => `1.${'0'.repeat(mib)}`],
    ['one exponent', 'parsed', () => `1e${'9'.repeat(mib)}`],
    ['one negative exponent', 'parsed', () => `1e-${'9'.repeat(mib)}`],
    ['zeros undone by the exponent', 'parsed', () => `0.${'0'.repeat(mib)}1e${mib + 1}`],
    ['long integers', 'parsed', () => `[${listOf(() => '9'.repeat(300))}]`],
    ['large exponents', 'parsed', () => `[${listOf(() => '1e308')}]`],
    ['keys', 'parsed', () => `{${listOf((index) => `"k${index}":1`)}}`],
    ['keys that are indexes', 'parsed', () => `{${listOf((index) => `"${index * 4096}":1`)}}`],
    ['objects with keys of their own', 'parsed', () => `[${listOf((index) => `{"k${index}":1}`)}]`],
    ['__proto__', 'parsed', () => `[${listOf(() => '{"__proto__":1}')}]`],
    ['white space', 'syntax', () => ' '.repeat(mib)],
  ])('%s: %s', (_what, outcome, make) => {
    expect(outcomeOf(Buffer.from(make()))).toBe(outcome);
  });
});
