/** A point of a plan: fractions of the image's width and height, from its upper left corner. */
export type Point = readonly [x: number, y: number];

/** The size of an image in pixels. */
export type Size = { width: number; height: number };

/** Returns the smallest rectangle that contains the points. */
export function boundsOf(points: readonly Point[]): { left: number; top: number; right: number; bottom: number } {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Returns twice the signed area of an outline. */
function doubleArea(points: readonly Point[]): number {
  return sumOver(points, ([x, y], [nextX, nextY]) => x * nextY - nextX * y);
}

export function areaOf(points: readonly Point[]): number {
  return Math.abs(doubleArea(points)) / 2;
}

/** Returns the centroid of an outline, or the pin itself. */
export function centerOf(points: readonly Point[]): Point {
  const area = doubleArea(points);
  if (points.length < 3 || Math.abs(area) < 1e-9) {
    const { left, top, right, bottom } = boundsOf(points);
    return [(left + right) / 2, (top + bottom) / 2];
  }
  const part = (axis: 0 | 1) =>
    sumOver(points, (one, next) => (one[axis] + next[axis]) * (one[0] * next[1] - next[0] * one[1])) / (3 * area);
  return [part(0), part(1)];
}

function sumOver(points: readonly Point[], term: (one: Point, next: Point) => number): number {
  return points.reduce((sum, one, index) => sum + term(one, points[(index + 1) % points.length] ?? one), 0);
}

/** Returns whether a point is within an outline, by the number of its edges to the right of the point. */
function isWithin([x, y]: Point, outline: readonly Point[]): boolean {
  const crossed = outline.filter(([startX, startY], index) => {
    const [endX, endY] = outline[(index + 1) % outline.length] ?? [startX, startY];
    return startY > y !== endY > y && x < startX + ((y - startY) * (endX - startX)) / (endY - startY);
  });
  return crossed.length % 2 === 1;
}

/** Returns the outlines that lie completely within another one, without outlines within these. */
export function outlinesWithin<Outline extends readonly Point[]>(
  outer: readonly Point[],
  others: readonly Outline[],
): Outline[] {
  const inner = others.filter(
    (points) => points.length > 2 && points !== outer && points.every((point) => isWithin(point, outer)),
  );
  return inner.filter(
    (points) => !inner.some((other) => other !== points && points.every((one) => isWithin(one, other))),
  );
}

/** Returns the height of an outline above the outlines within it, where its label does not cover them. */
export function heightAbove(inner: readonly (readonly Point[])[], outer: readonly Point[]): number {
  const { top, bottom } = boundsOf(outer);
  return Math.min(bottom, ...inner.map((points) => boundsOf(points).top)) - top;
}

/** Returns the corner nearest to the upper left of an outline, where its label covers the least of outlines within it. */
export function labelPointOf(points: readonly Point[], { width, height }: Size): Point {
  const distance = ([x, y]: Point) => x * width + y * height;
  return points.reduce((best, point) => (distance(point) < distance(best) ? point : best));
}

/** Keeps a point on the image. */
export function clamped([x, y]: Point): Point {
  return [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
}

/** Moves points together, up to the edge of the image. */
export function moved(points: readonly Point[], [dx, dy]: Point): Point[] {
  const { left, top, right, bottom } = boundsOf(points);
  const x = Math.min(1 - right, Math.max(-left, dx));
  const y = Math.min(1 - bottom, Math.max(-top, dy));
  return points.map((point) => [point[0] + x, point[1] + y]);
}

const sideMin = 0.01;

/** Stretches an outline to the right and downwards by fractions of the image. */
export function resized(points: readonly Point[], [dx, dy]: Point): Point[] {
  const { left, top, right, bottom } = boundsOf(points);
  const [width, height] = [Math.max(right - left, sideMin), Math.max(bottom - top, sideMin)];
  const scale = (side: number, by: number, room: number) => Math.min(Math.max(side + by, sideMin), room) / side;
  const [byX, byY] = [scale(width, dx, 1 - left), scale(height, dy, 1 - top)];
  return points.map(([x, y]) => clamped([left + (x - left) * byX, top + (y - top) * byY]));
}

/** Returns a rectangle around a point, on the image. */
function rectangleAt([x, y]: Point, side: number): Point[] {
  const half = side / 2;
  const [left, top] = [Math.min(1 - side, Math.max(0, x - half)), Math.min(1 - side, Math.max(0, y - half))];
  return [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ];
}

/**
 * A new rectangle may overlap another shape by this fraction of the image, since corners that were set by hand are not
 * exact.
 */
const overlapMax = 0.02;

/** Steps around a point, the nearest first, beginning with the point itself. */
const steps = [-3, -2, -1, 0, 1, 2, 3]
  .flatMap((x) => [-3, -2, -1, 0, 1, 2, 3].map((y) => [x, y] as const))
  .sort(([ax, ay], [bx, by]) => Math.hypot(ax, ay) - Math.hypot(bx, by));

/**
 * Returns a rectangle as near to a point as possible that covers no other shape; around the point if there is no such
 * space.
 */
export function freeRectangle([x, y]: Point, side: number, taken: readonly (readonly Point[])[]): Point[] {
  const others = taken.map(boundsOf);
  const free = steps
    .map(([right, down]) => rectangleAt([x + right * side, y + down * side], side))
    .find((points) => {
      const own = boundsOf(points);
      return !others.some(
        (other) =>
          Math.min(own.right, other.right) - Math.max(own.left, other.left) > overlapMax &&
          Math.min(own.bottom, other.bottom) - Math.max(own.top, other.top) > overlapMax,
      );
    });
  return free ?? rectangleAt([x, y], side);
}
