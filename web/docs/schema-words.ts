import { nameOfRef, type Schema } from './openapi.js';

/** Returns the type of a value in a few words: `string, date-time or null`, `array of Tag`. */
export function typeWords(schema: Schema): string {
  const base = baseWords(schema);
  return schema.nullable ? `${base} or null` : base;
}

function baseWords({ $ref, type, format, items, additionalProperties, properties }: Schema): string {
  if ($ref !== undefined) return nameOfRef($ref);
  if (type === 'array') return items ? `array of ${typeWords(items)}` : 'array';
  if (type === 'object' && !properties && additionalProperties) return 'object, any keys';
  return [type ?? 'any value', ...(format === undefined ? [] : [format])].join(', ');
}

/** Returns the bounds of a value as short phrases, including the bounds of an array's items. */
export function boundWords(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: fallback, items } = schema;
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(fallback === undefined ? [] : [`${JSON.stringify(fallback)} if left out`]),
    ...(items ? boundWords(items) : []),
  ];
}

function range(min: number | undefined, max: number | undefined, unit: string): string[] {
  if (min === undefined && max === undefined) return [];
  if (min === undefined) return [`at most ${max}${unit}`];
  if (max === undefined) return min === 0 ? [] : [`at least ${min}${unit}`];
  return [min === max ? `${min}${unit}` : `${min} to ${max}${unit}`];
}

/** Returns the name of the schema that a value refers to, if any. */
export function referenceOf({ $ref, items }: Schema): string | undefined {
  if ($ref !== undefined) return nameOfRef($ref);
  return items && referenceOf(items);
}

export function choicesOf({ enum: own, items }: Schema): unknown[] | undefined {
  return own ?? (items && choicesOf(items));
}

export function patternOf({ pattern, items }: Schema): string | undefined {
  return pattern ?? (items && patternOf(items));
}
