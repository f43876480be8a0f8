const nameLengthMax = 255;

type Filling = { number: number; tag: string; count: number };

/**
 * Returns a name from a pattern: `{n}` becomes the number, padded to the digits of the last number, and `{tag}` the tag
 * ID. A pattern without either gets the number at its end, so that the names differ.
 */
export function nameFrom(pattern: string, { number, tag, count }: Filling): string {
  const text = pattern.trim();
  const isDistinct = count === 1 || text.includes('{n}') || text.includes('{tag}');
  const full = isDistinct ? text : `${text} {n}`;
  const digits = String(count).length;
  return full
    .replaceAll('{n}', String(number).padStart(digits, '0'))
    .replaceAll('{tag}', () => tag)
    .slice(0, nameLengthMax)
    .trim();
}

/** Returns the number in a field; 1 while the field is empty. */
export function firstNumber(typed: number | string): number {
  return typeof typed === 'number' ? typed : 1;
}
