const nameLengthMax = 255;

type Filling = { number: number; tag: string; count: number };

/**
 * Returns a name from a pattern: `{n}` becomes the number, with as many digits as the last of the numbers has, and `{tag}` the tag
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

/** Returns the number that a field holds; 1 while it is empty. */
export function firstNumber(typed: number | string): number {
  return typeof typed === 'number' ? typed : 1;
}
