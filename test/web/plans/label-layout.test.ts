import { expect, test } from 'vitest';
import { layoutOfLabel } from '../../../web/plans/label-layout.js';

test.each([
  [300, 300, 'line', 140],
  // An area of a plan on a phone: the whole width is for the name, and the count is below it.
  [99, 200, 'stacked', 79],
  [60, 60, 'stacked', 40],
  [99, 30, 'line', 43],
  [60, 30, 'name', 40],
  [40, 200, 'count', 0],
])(
  'a shape of %i by %i pixels has its name and its count as %s, with %i pixels for the name',
  (...[widthPx, heightPx, layout, nameWidthPx]) => {
    expect(layoutOfLabel({ widthPx, heightPx })).toEqual({ layout, nameWidthPx });
  },
);

test('a pin, which has no size, has its whole name', () => {
  const size = Number.POSITIVE_INFINITY;
  expect(layoutOfLabel({ widthPx: size, heightPx: size })).toEqual({ layout: 'line', nameWidthPx: 140 });
});
