/** White space and characters that no screen shows; U+3164 and U+2800 are blank letters. */
const invisible = /[\s\p{Cf}\u3164\u2800]/u;

/** Returns a text without white space and invisible characters at its ends, in a time that is linear in its length. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isInvisible(text.charCodeAt(start))) start += 1;
  while (end > start && isInvisible(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isInvisible(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return false;
  return invisible.test(String.fromCharCode(code));
}

/** Returns the code point of the first invisible character of a text, such as `U+200E`; undefined if it has none. */
export function invisibleIn(text: string): string | undefined {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && isInvisible(code)) return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** A number as spreadsheets write it in place of a long one. Without a sign or a decimal separator it can be hexadecimal. */
const exponent = /^[+-]?(?:\d+E[+-]\d+|\d*[.,\u066B]\d*E[+-]?\d+)$/i;

/** Returns whether a spreadsheet has turned an identifier into a number in exponent notation, which lost its digits. */
export function isExponent(text: string): boolean {
  return text.length < 100 && exponent.test(text);
}
