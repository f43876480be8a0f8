import { expect, test } from 'vitest';
import {
  dayPart,
  flagPart,
  idPart,
  offsetPart,
  oneOfPart,
  searchOf,
  textPart,
  textUpTo,
  truePart,
} from '../../web/ui/address-search.js';

const parts = {
  q: textPart,
  short: textUpTo(3),
  id: idPart,
  offset: offsetPart,
  open: flagPart,
  only: truePart,
  sort: oneOfPart(['name', 'key']),
  from: dayPart,
};

test('the parts of an address are read as the router gives them, or as texts', () => {
  const expected = {
    q: '42',
    short: 'abc',
    id: 7,
    offset: 0,
    open: false,
    only: true,
    sort: 'key',
    from: '2028-02-29',
  };
  const others = { short: 'abcdef', sort: 'key', from: '2028-02-29' };
  expect(searchOf(parts, { ...others, q: 42, id: 7, offset: 0, open: false, only: true })).toEqual(expected);
  expect(searchOf(parts, { ...others, q: '42', id: '7', offset: '0', open: 'false', only: 'true' })).toEqual(expected);
});

test('unknown parts, and parts with an invalid value, are ignored', () => {
  const given = { q: ' ', id: 0, offset: -1, open: 'yes', only: false, sort: 'price', from: '2026-02-30', more: 1 };
  expect(searchOf(parts, given)).toEqual({});
  expect(searchOf(parts, { id: 1.5, offset: '1e3', q: null, from: '2027-02-29' })).toEqual({});
  expect(searchOf(parts, { id: 2_147_483_648 })).toEqual({});
});
