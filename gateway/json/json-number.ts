const DIGIT_0 = 48;
const DIGITS_ALWAYS_EXACT = 15;
const EXPONENT_MARK = /[eE]/;

/** Twice the range of int64: what lies beyond need not be told apart to be refused. */
const EXPONENT_MAGNITUDE_MAX = 2 ** 64;

/**
 * The value of a JSON number token, read exactly where it is an integer: a number when that is safe, otherwise a bigint;
 * never `-0`. What rounds to infinity as a double is an infinite number, and an integer spelt with an exponent is the
 * nearest double from 2^64 up: six bytes must not become a number of 309 digits.
 *
 * A value with a fraction becomes the nearest double, or the one beside it where that is an integer:
 * `5.0000000000000000001` must not pass for 5. From 2^51 up, where doubles have no room for fractions, it may.
 *
 * @param token matches JSON's grammar; linear in its length
 */
export function numberOfToken(token: string): number | bigint {
  const double = Number(token);
  // A double with a fraction stems from a value with one, and an infinite one has no digits worth keeping.
  if (!Number.isInteger(double)) return double;
  // So few digits name no two values with one double; zero may be what is left of a tiny one.
  if (double !== 0 && Number.isSafeInteger(double) && token.length <= DIGITS_ALWAYS_EXACT) return double;
  if (Math.abs(double) >= EXPONENT_MAGNITUDE_MAX && EXPONENT_MARK.test(token)) return double;
  return exactInteger(token) ?? besideInteger(double, token.startsWith('-'));
}

/** The integer that a token of finite value stands for, or undefined where it has a fraction. */
function exactInteger(token: string): number | bigint | undefined {
  const { negative, digits, exponent } = decimalOfToken(token);
  if (digits === '') return 0;
  if (exponent < 0) return undefined;
  // These are digits that were sent, or few.
  const magnitude = BigInt(digits + '0'.repeat(exponent));
  if (magnitude > Number.MAX_SAFE_INTEGER) return negative ? -magnitude : magnitude;
  return negative ? -Number(magnitude) : Number(magnitude);
}

/** A double next to an integer one, nearer to zero; next to zero, the smallest of the token's sign. */
function besideInteger(double: number, negative: boolean): number {
  if (double === 0) return negative ? -Number.MIN_VALUE : Number.MIN_VALUE;
  return double * (1 - Number.EPSILON);
}

/** A value as `digits` times ten to the `exponent`, the digits without zeros at either end; zero has no digits. */
type Decimal = { negative: boolean; digits: string; exponent: number };

function decimalOfToken(token: string): Decimal {
  const negative = token.startsWith('-');
  const mark = token.search(EXPONENT_MARK);
  const mantissa = token.slice(negative ? 1 : 0, mark === -1 ? token.length : mark);
  const point = mantissa.indexOf('.');
  const all = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let first = 0;
  while (all.charCodeAt(first) === DIGIT_0) first += 1;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === DIGIT_0) end -= 1;
  const fractionDigits = point === -1 ? 0 : mantissa.length - point - 1;
  const scale = mark === -1 ? 0 : Number(token.slice(mark + 1));
  return { negative, digits: all.slice(first, end), exponent: scale - fractionDigits + (all.length - end) };
}
