import { z } from 'zod';
import { fail, field, issueOf } from '../../kernel/validation/failure.js';
import { idField, missing, timestampField, wrongType } from '../../kernel/validation/fields.js';
import { listField } from '../../kernel/validation/list-field.js';
import { idParameter } from '../../kernel/validation/parameters.js';

const shapesMax = 1000;
/** Points of one outline. */
const pointsMax = 100;
/** Points of all shapes of a plan. */
const allPointsMax = 20_000;
const outlinePointsMin = 3;
/** A hundred thousandth of an image's side is less than a pixel. */
const precision = 100_000;

/** A point on the image: fractions of its width and height from the upper left corner, 0 to 1. */
export type Point = [x: number, y: number];

const points = field<Point[]>(
  (value) => {
    if (value === undefined) return missing;
    if (!Array.isArray(value)) return wrongType('array', value);
    const isCount = value.length === 1 || (value.length >= outlinePointsMin && value.length <= pointsMax);
    if (!isCount) return fail('wrong_points', { min: outlinePointsMin, max: pointsMax });
    if (!value.every(isPoint)) return fail('points_outside');
    return value.map(([x, y]) => [rounded(x), rounded(y)]);
  },
  { type: 'array' },
);

function isPoint(value: unknown): value is Point {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => Number.isFinite(part) && part >= 0 && part <= 1)
  );
}

function rounded(part: number): number {
  return Math.round(part * precision) / precision;
}

const shape = z.strictObject({
  location_id: idField('required').exactOptional(),
  reader_id: idField('required').exactOptional(),
  points,
});

/** The outline (three points or more) or the pin (one) of a sublocation, or the pin of a reader. */
export type ShapeInput = z.output<typeof shape>;

const shapes = listField(shape, { min: 0, max: shapesMax }).superRefine((given, context) => {
  const message = flawOf(given);
  if (message !== undefined) context.issues.push(issueOf({ code: 'invalid_value', message }, given));
});

function flawOf(given: readonly ShapeInput[]): string | undefined {
  const subjects = given.map(({ location_id: location, reader_id: reader }) => `${location ?? ''}/${reader ?? ''}`);
  if (
    given.some(({ location_id: location, reader_id: reader }) => (location === undefined) === (reader === undefined))
  ) {
    return '{f} must each be of a location or a reader';
  }
  if (new Set(subjects).size < subjects.length) return '{f} must be of different locations and readers';
  if (given.some((one) => one.reader_id !== undefined && one.points.length > 1))
    return '{f} of readers must be one point';
  const count = given.reduce((sum, one) => sum + one.points.length, 0);
  return count > allPointsMax ? `{f} must have at most ${allPointsMax} points together` : undefined;
}

export const planInput = z.strictObject({ location_id: idParameter() });

/** The `updated_at` of the plan that the caller has read. */
const updatedAt = timestampField('required');

const noPlan = field<number | null, string | null>(
  (value) => {
    if (value === null) return null;
    if (typeof value !== 'string' && value !== undefined) return wrongType('string', value);
    const read = updatedAt.safeParse(value);
    return read.success ? read.data : fail('not_timestamp');
  },
  { type: 'string', nullable: true },
);

export const setPlanInput = z.strictObject({
  location_id: idParameter(),
  image_id: idParameter(),
  /** Null if the location has no plan yet. */
  updated_at: noPlan,
});

export const removePlanInput = z.strictObject({ location_id: idParameter(), updated_at: updatedAt });

export const setShapesInput = z.strictObject({ location_id: idParameter(), updated_at: updatedAt, shapes });
