/** Nested arrays and objects of JSON that comes from outside the service. */
export const jsonLevelsMax = 200;

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns whether a JSON text has more nested arrays and objects than `jsonLevelsMax`. Call this before `JSON.parse`
 * reads text from outside: a megabyte of brackets would keep the process busy for a third of a second. Takes time
 * linear in the length of the text.
 */
export function isNestedTooDeep(text: string): boolean {
  if (text.length <= jsonLevelsMax) return false;
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBracket || code === openBrace) {
      levels += 1;
      if (levels > jsonLevelsMax) return true;
    } else if (code === closeBracket || code === closeBrace) levels -= 1;
  }
  return false;
}

/** Returns the index of the quote that ends the string which begins at `start`, or the length of the text. */
export function endOfString(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    from = end + 1;
  }
}
