import { expect, test } from 'vitest';
import { candidatesOf, codesOf, readLocationTags } from '../../web/scanning/location-tags.js';

const ward = { is_container: false, id: 17, name: 'Ward 3A', external_key: 'Ward-3a', is_active: true };

function finds(value: string): boolean {
  const codes = codesOf('1/1', [
    { ...ward, tag_type: 'barcode', value: 'LOC-3A' },
    { ...ward, tag_type: 'ble', value: 'AC:23:3F:A0:32:08' },
  ]).map(({ code }) => code);
  const { tags, names } = candidatesOf(value);
  return [...tags, ...names].some((code) => codes.includes(code));
}

test.each(['LOC-3A', 'loc-3a', 'ac233fa03208', 'AC-23-3F-A0-32-08', '/l/17', '/L/17', 'Ward-3a'])(
  'a phone knows the location by %s',
  (value) => {
    expect(finds(value)).toBe(true);
  },
);

// The service compares keys as they are, in capitals and in small letters.
test.each(['LOC3A', '/a/17', '/l/1', 'wARD-3A', 'key Ward-3a', 'barcode LOC-3A', ''])(
  'a phone does not take %j for the location',
  (value) => {
    expect(finds(value)).toBe(false);
  },
);

test('a phone knows a container by its tags and its label; its key may be the key of a location, too', () => {
  const cart = { ...ward, is_container: true, tag_type: 'barcode' as const, value: 'CART-7' };
  expect(codesOf('1/1', [cart]).map(({ code }) => code)).toEqual(['barcode CART-7', '/a/17']);
  expect(candidatesOf('/A/17').names).toContain('/a/17');
});

test('a location without tags is known by its label and its key', () => {
  expect(codesOf('1/1', [{ ...ward, tag_type: null, value: null }]).map(({ code }) => code)).toEqual([
    '/l/17',
    'key Ward-3a',
  ]);
});

type Asked = { version?: string; from?: number };

const entry = (value: string) => ({ ...ward, tag_type: 'barcode' as const, value });

test('a phone reads a list that comes in several answers', async () => {
  const ask = async (asked: Asked) => {
    const { version, from } = asked;
    if (version === '2') return { version, tags: null, next: null };
    return from === 1
      ? { version: '2', tags: [entry('B')], next: null }
      : { version: '2', tags: [entry('A')], next: 1 };
  };
  expect(await readLocationTags(ask, '1')).toEqual({ version: '2', tags: [entry('A'), entry('B')] });
  expect(await readLocationTags(ask, '2')).toBeUndefined();
});

test('a phone stores no list that changes while it is read', async () => {
  const ask = async (asked: Asked) =>
    asked.from === 1 ? { version: '3', tags: [entry('B')], next: null } : { version: '2', tags: [entry('A')], next: 1 };
  expect(await readLocationTags(ask, undefined)).toBeUndefined();
});
