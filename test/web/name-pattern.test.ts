import { expect, test } from 'vitest';
import { nameFrom } from '../../web/pages/unknown-tags/name-pattern.js';

test.each([
  ['Pallet {n}', { number: 7, tag: 'E28', count: 12 }, 'Pallet 07'],
  ['Pallet {n}', { number: 112, tag: 'E28', count: 12 }, 'Pallet 112'],
  ['{tag}', { number: 1, tag: 'E28$&', count: 2 }, 'E28$&'],
  ['Pallet', { number: 3, tag: 'E28', count: 9 }, 'Pallet 3'],
  ['Pallet', { number: 3, tag: 'E28', count: 1 }, 'Pallet'],
  [' Pallet {n} of {tag} ', { number: 1, tag: 'A', count: 1 }, 'Pallet 1 of A'],
])('%s becomes a name', (pattern, filling, name) => {
  expect(nameFrom(pattern, filling)).toBe(name);
});
