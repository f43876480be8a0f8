import { describe, expect, test } from 'vitest';
import { parseQuery, undecodableValue } from '../../gateway/query-string.js';

function entries(query: string): [string, string[]][] {
  return [...parseQuery(query)];
}

describe('parseQuery', () => {
  test.each<[string, [string, string[]][]]>([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', ['1']],
        ['b', ['2']],
      ],
    ],
    [
      'b=2&a=1&b=3',
      [
        ['b', ['2', '3']],
        ['a', ['1']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['&&a=1&', [['a', ['1']]]],
    ['=x', [['', ['x']]]],
    ['q=a+b%2Bc%20d', [['q', ['a b+c d']]]],
    ['q=%C3%A9%F0%9F%98%80', [['q', ['é😀']]]],
    ['%71=1&q=2', [['q', ['1', '2']]]],
    ['a%26b=c%3Dd', [['a&b', ['c=d']]]],
    ['a=1;b=2', [['a', ['1;b=2']]]],
    ['q=%00', [['q', ['\0']]]],
    [
      'a[]=1&a[b]=2',
      [
        ['a[]', ['1']],
        ['a[b]', ['2']],
      ],
    ],
  ])('%s', (query, expected) => {
    expect(entries(query)).toStrictEqual(expected);
  });

  test.each(['%', '%4', '%zz', 'a%', '%-1', '%+1', '%C3', '%C3x', '%FF', '%C0%AF', '%ED%A0%80', '%F4%90%80%80'])(
    'the value %s cannot be decoded and is rejected as one that cannot be stored',
    (value) => {
      expect(entries(`q=${value}`)).toStrictEqual([['q', [undecodableValue]]]);
      expect(undecodableValue.isWellFormed()).toBe(false);
    },
  );

  test('raw bytes are UTF-8, as Node hands them on one character a byte', () => {
    expect(entries(`q=${Buffer.from('é').toString('latin1')}`)).toStrictEqual([['q', ['é']]]);
    expect(entries('q=\xe9')).toStrictEqual([['q', [undecodableValue]]]);
  });

  test('a name that cannot be decoded stays as it was sent', () => {
    expect(entries('%zz=1&limit%=2')).toStrictEqual([
      ['%zz', ['1']],
      ['limit%', ['2']],
    ]);
  });

  test('names that mean something to JavaScript are names like any other', () => {
    expect(entries('__proto__=1&constructor=2&__proto__=3')).toStrictEqual([
      ['__proto__', ['1', '3']],
      ['constructor', ['2']],
    ]);
  });

  // Work that grew with the square of the length would take far longer than a test may.
  test.each([
    ['&=%zz', ['']],
    ['&a=%C3', ['a']],
    ['%41', ['A'.repeat(64 * 1024)]],
    ['&', []],
    ['%', ['%'.repeat(64 * 1024)]],
    ['a=b&', ['a']],
  ])('a query that repeats %s as often as a header may is read in linear time', (piece, names) => {
    expect(entries(piece.repeat(64 * 1024)).map(([name]) => name)).toStrictEqual(names);
  });
});
