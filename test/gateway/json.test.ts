import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError, type JsonErrorKind, parseJson } from '../../gateway/json/parse-json.js';

function parse(text: string): unknown {
  return parseJson(Buffer.from(text));
}

function failure(body: string | Uint8Array): JsonErrorKind | 'none' {
  try {
    parseJson(typeof body === 'string' ? Buffer.from(body) : body);
    return 'none';
  } catch (error) {
    if (error instanceof JsonError) return error.kind;
    throw error;
  }
}

describe('what is JSON', () => {
  test.each([
    '{}',
    '[]',
    ' \t\r\n[ 1 , "a" , { "b" : [ null , true , false ] } ] \n',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00"',
    '"é😀\u2028\u007f"',
    '-12.5e-3',
    '0.25',
    'null',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
  ])('%s reads as the engine reads it', (text) => {
    expect(parse(text)).toStrictEqual(JSON.parse(text));
  });

  test('NUL and lone surrogates stay in strings', () => {
    expect(parse('["\\u0000", "\\ud800", "\\udc00x"]')).toStrictEqual(['\0', '\ud800', '\udc00x']);
  });

  test('a view into a larger buffer is read within its bounds', () => {
    const bytes = Buffer.from('xx{"a":1}xx');
    expect(parseJson(new Uint8Array(bytes.buffer, bytes.byteOffset + 2, 7))).toStrictEqual({ a: 1 });
  });

  test('random documents read as the engine reads them', () => {
    const text = fc.string({ unit: 'binary' });
    const values = [fc.constant(null), fc.boolean(), fc.integer(), text];
    const documents = fc.object({ values, key: text, maxDepth: 2 }).map((object) => JSON.stringify(object));
    const isReadAlike = fc.property(documents, (document) => {
      expect(parse(document)).toStrictEqual(JSON.parse(document));
    });
    fc.assert(isReadAlike, { seed: 20_260_101, numRuns: 500 });
  });

  test('corrupted documents read, or are refused, as by the engine', () => {
    const documents = ['[1,2,{"k":"v"}]', '{"a":[],"b":{"c":null}}', '["x\\ny",1.5,-3]', '"plain"'];
    const brackets = ['{', '}', '[', ']', ',', ':'];
    const pieces = [...brackets, '"', '"a"', '\\u0041', '\\', '1', '-', '7', '.5', 'e1', 'true', ' ', 'é'];
    const corrupted = fc
      .record({
        document: fc.constantFrom(...documents),
        at: fc.nat(),
        piece: fc.constantFrom(...pieces),
        removed: fc.nat(1),
      })
      .map(({ document, at, piece, removed }) => {
        const begin = at % (document.length + 1);
        return document.slice(0, begin) + piece + document.slice(begin + removed);
      });
    const isReadAlike = fc.property(corrupted, (text) => {
      let expected: unknown = 'syntax';
      try {
        expected = JSON.parse(text);
      } catch {}
      const kind = failure(text);
      expect(kind === 'none' ? parse(text) : kind).toStrictEqual(expected);
    });
    fc.assert(isReadAlike, { seed: 20_260_101, numRuns: 5000 });
  });
});

describe('what is not', () => {
  test.each([
    ['an empty body', ''],
    ['trailing text', '{} x'],
    ['a byte order mark', '\ufeff{}'],
    ['an open array', '[1'],
    ['an open object', '{"a":1'],
    ['an open string', '"abc'],
    ['a string open at its escape', '"abc\\'],
    ['mismatched brackets', '[1}'],
    ['a comment', '/**/1'],
    ['a control character in a string', '"a\nb"'],
    ['NaN', 'NaN'],
    ['a leading zero', '01'],
  ])('%s', (_what, text) => {
    expect(failure(text)).toBe('syntax');
  });

  test.each([
    ['a byte that begins nothing', [0x22, 0xff, 0x22]],
    ['a continuation without a beginning', [0x22, 0x80, 0x22]],
    ['a sequence cut short', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a code point above the last', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16', [0x22, 0x00, 0x22, 0x00]],
  ])('invalid UTF-8: %s', (_what, bytes) => {
    expect(failure(Uint8Array.from(bytes))).toBe('syntax');
  });

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"a":null,"b":2,"a":3}',
    '[{"x":{"":1,"":2}}]',
    '{"__proto__":1,"__proto__":2}',
    '{"toString":1,"toString":2}',
    '{"7":1,"7":2}',
  ])('a key twice in one object: %s', (text) => {
    expect(failure(text)).toBe('syntax');
  });
});

describe('objects', () => {
  test('keys that mean something to JavaScript are keys like any other', () => {
    const text = '{"__proto__":{"admin":true},"constructor":1,"toString":2,"hasOwnProperty":null,"a":3}';
    const object = parse(text) as Record<string, unknown>;
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Object.keys(object)).toStrictEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a']);
    expect(object['admin']).toBeUndefined();
    expect(JSON.stringify(object)).toBe(text);
  });

  test('an object under __proto__ is not inherited from', () => {
    parse('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('numbers', () => {
  test.each<[string, number | bigint]>([
    ['0', 0],
    ['-0', 0],
    ['-0.0', 0],
    ['0e999999999999', 0],
    ['5.0', 5],
    ['1e2', 100],
    ['1E+2', 100],
    ['100e-2', 1],
    ['1.5e1', 15],
    ['-7', -7],
    ['123456789012345', 123456789012345],
    ['1234567890123456', 1234567890123456],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740993.0', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 9223372036854775808n],
    ['-9223372036854775809', -9223372036854775809n],
    ['10000000000000000000000', 1e22],
    ['100000000000000000000000', 1e23],
    ['1e23', 1e23],
    ['1.00000000000000000001e30', Number.POSITIVE_INFINITY],
    ['-1.00000000000000000001e30', Number.NEGATIVE_INFINITY],
    ['100000000000000000000001', 10n ** 23n + 1n],
    ['36893488147419103232', 2 ** 65],
    ['36893488147419103233', 2n ** 65n + 1n],
    ['1e19', 10n ** 19n],
    ['1e22', 1e22],
    ['-1e308', -1e308],
    ['12345678901234567890.0e-1', 1234567890123456789n],
    ['1e400', Number.POSITIVE_INFINITY],
    ['-1e400', Number.NEGATIVE_INFINITY],
    ['1e99999999999999999999', Number.POSITIVE_INFINITY],
    ['0.1', 0.1],
    ['1e-1', 0.1],
    ['2147483647.5', 2147483647.5],
  ])('%s', (token, expected) => {
    expect(Object.is(parse(token), expected), String(parse(token))).toBe(true);
    expect(parse(`[${token}]`)).toStrictEqual([expected]);
  });

  test.each([
    '5.0000000000000000001',
    '4.9999999999999999999',
    '-4.9999999999999999999',
    '0.99999999999999999999',
    '2147483647.00000000000001',
    '1e-400',
    '-1e-400',
    '1e-99999999999999999999',
  ])('%s has a fraction and is no integer', (token) => {
    const value = parse(token) as number;
    expect(Number.isInteger(value)).toBe(false);
    expect(value).toBeCloseTo(Number(token), 5);
    expect(value < 0).toBe(token.startsWith('-'));
  });
});

describe('nesting', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('200 levels are read, 201 are too deep', () => {
    expect(failure(nested(200))).toBe('none');
    expect(failure(nested(201))).toBe('depth');
    expect(failure(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)).toBe('none');
    expect(failure(`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`)).toBe('depth');
  });

  test('levels side by side do not add up', () => {
    expect(failure(`[${Array.from({ length: 200_000 }, () => '[[]]').join(',')}]`)).toBe('none');
  });

  test.each([5_000, 500_000])('%i levels end in an error, not in an overflow', (levels) => {
    expect(failure(nested(levels))).toBe('depth');
    expect(failure('['.repeat(levels))).toBe('depth');
    expect(failure('{"a":'.repeat(levels))).toBe('depth');
  });
});
