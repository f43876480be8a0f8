/** White space and characters that no screen shows; U+3164 and U+2800 are blank letters. */
const invisible = /[\s\p{Cf}\u3164\u2800]/u;

/** Returns a text without white space, byte order marks and other invisible characters at its ends. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isInvisible(text.charCodeAt(start))) start += 1;
  while (end > start && isInvisible(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

export function isInvisible(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return false;
  return invisible.test(String.fromCharCode(code));
}
