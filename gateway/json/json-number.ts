const digit0 = 48;
const digitsAlwaysExact = 15;
const exponentPattern = /[eE]/;

/** Twice the range of int64: beyond it the exact value does not matter. */
const exponentMagnitudeMax = 2 ** 64;

/** 5 to the 23rd needs more bits than a double has, so no double is exactly an integer with more trailing zeros. */
const exactZerosMax = 22;

/**
 * How to read a fraction such as `5.0000000000000000001`, whose nearest double is an integer: as an adjacent number
 * that is not an integer, so that schemas reject it, or as that integer.
 */
export type FractionRule = 'reject' | 'round';

/**
 * Returns the value of a JSON number token, exact for integers: a number when that is safe, otherwise a bigint; never
 * `-0`. From 2^64 up it is a number if a double holds it exactly or is written like it (`1e23`), so that the service's
 * responses can be sent back. Other integers from there up are a bigint, or infinite if they have an exponent or round
 * to infinity: six bytes must not become a number of 309 digits.
 *
 * A value with a fraction becomes the nearest double. If the nearest double is an integer, the rule decides:
 * `5.0000000000000000001` must not be accepted as the id 5, nor `9007199254740993.5` be rejected as an integer that is
 * too large.
 *
 * @param token matches JSON's grammar; takes time linear in its length
 */
export function numberOfToken(token: string, rule: FractionRule = 'reject'): number | bigint {
  const double = Number(token);
  // A double with a fraction comes from a value with one, and an infinite one has no digits worth keeping.
  if (!Number.isInteger(double)) return double;
  // Different values with this few digits have different doubles. Only zero can also be the double of a tiny value.
  if (double !== 0 && Number.isSafeInteger(double) && token.length <= digitsAlwaysExact) return double;
  const decimal = decimalOfToken(token);
  if (decimal.digits === '') return 0;
  if (decimal.exponent < 0) {
    // Adding zero makes `-0` zero.
    return rule === 'round' ? double + 0 : fractionNextTo(double, decimal.negative);
  }
  return Math.abs(double) < exponentMagnitudeMax ? exactInteger(decimal) : hugeInteger(decimal, token);
}

/** Returns the value of an integer from 2^64 up. */
function hugeInteger(decimal: Decimal, token: string): number | bigint {
  const double = Number(token);
  if (isSame(decimal, decimalOfToken(String(double)))) return double;
  const exact = decimal.exponent <= exactZerosMax ? exactInteger(decimal) : undefined;
  if (exact !== undefined && BigInt(double) === exact) return double;
  if (exponentPattern.test(token)) return decimal.negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return exact ?? exactInteger(decimal);
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent && one.negative === other.negative;
}

/** Returns the integer of a decimal without a fraction. */
function exactInteger({ negative, digits, exponent }: Decimal): number | bigint {
  // All of these digits were sent, or they are few.
  const magnitude = BigInt(digits + '0'.repeat(exponent));
  if (magnitude > Number.MAX_SAFE_INTEGER) return negative ? -magnitude : magnitude;
  return negative ? -Number(magnitude) : Number(magnitude);
}

/**
 * Returns a number next to an integer that is not an integer itself: the adjacent double nearer to zero; next to zero,
 * the smallest number with the token's sign; infinity where doubles have no fractions.
 */
function fractionNextTo(double: number, negative: boolean): number {
  if (double === 0) return negative ? -Number.MIN_VALUE : Number.MIN_VALUE;
  const adjacent = double * (1 - Number.EPSILON);
  if (!Number.isInteger(adjacent)) return adjacent;
  return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** A value as `digits` times ten to the `exponent`, the digits without zeros at either end; zero has no digits. */
type Decimal = { negative: boolean; digits: string; exponent: number };

function decimalOfToken(token: string): Decimal {
  const negative = token.startsWith('-');
  const exponentAt = token.search(exponentPattern);
  const mantissa = token.slice(negative ? 1 : 0, exponentAt === -1 ? token.length : exponentAt);
  const point = mantissa.indexOf('.');
  const all = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let first = 0;
  while (all.charCodeAt(first) === digit0) first += 1;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === digit0) end -= 1;
  const fractionDigits = point === -1 ? 0 : mantissa.length - point - 1;
  const scale = exponentAt === -1 ? 0 : Number(token.slice(exponentAt + 1));
  return { negative, digits: all.slice(first, end), exponent: scale - fractionDigits + (all.length - end) };
}
