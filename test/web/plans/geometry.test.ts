import { expect, test } from 'vitest';
import { boundsOf, freeRectangle, heightAbove, outlinesWithin, type Point } from '../../../web/plans/geometry.js';

const middle: Point = [0.5, 0.5];

/** Whether two shapes cover a common area of some size. */
function overlap(one: readonly Point[], other: readonly Point[]): boolean {
  const [a, b] = [boundsOf(one), boundsOf(other)];
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0.03 && height > 0.03;
}

test('rectangles that are placed one after the other do not hide each other', () => {
  const placed: Point[][] = [];
  for (let count = 0; count < 12; count += 1) {
    const next = freeRectangle(middle, 0.2, placed);
    expect(placed.filter((one) => overlap(one, next))).toEqual([]);
    const { left, top, right, bottom } = boundsOf(next);
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect(Math.max(right, bottom)).toBeLessThanOrEqual(1.000001);
    placed.push(next);
  }
  expect(boundsOf(placed[0] ?? []).left).toBeCloseTo(0.4);
});

test('a rectangle is in the middle where the plan has no space left', () => {
  const all: Point[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  expect(boundsOf(freeRectangle(middle, 0.2, [all])).left).toBeCloseTo(0.4);
});

test('an outline has the outlines directly within it', () => {
  const square = (left: number, top: number, side: number): Point[] => [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ];
  const [hall, room, shelf] = [square(0.1, 0.1, 0.8), square(0.2, 0.2, 0.4), square(0.3, 0.3, 0.1)];
  const across = square(0.8, 0.8, 0.2);
  const pin: Point[] = [[0.7, 0.3]];
  const all = [hall, room, shelf, across, pin];
  expect(outlinesWithin(hall, all)).toEqual([room]);
  expect(outlinesWithin(room, all)).toEqual([shelf]);
  expect(outlinesWithin(shelf, all)).toEqual([]);
});

test('the label of a shape has the height above the shapes within it', () => {
  const square = (left: number, top: number, side: number): Point[] => [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ];
  const hall = square(0.1, 0.1, 0.8);
  expect(heightAbove([], hall)).toBeCloseTo(0.8);
  expect(heightAbove([square(0.2, 0.5, 0.2), square(0.5, 0.25, 0.2)], hall)).toBeCloseTo(0.15);
  expect(heightAbove([square(0.1, 0.1, 0.2)], hall)).toBe(0);
});
