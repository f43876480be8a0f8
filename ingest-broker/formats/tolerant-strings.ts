const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const escape = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const keyToken = /"[^"\\\r\n]{0,64}"\s*:/g;
const nowhere = Number.POSITIVE_INFINITY;

/** A place that was searched for, with the begin of the search: it is the same for every begin between the two. */
type Searched = { from: number; at: number };

/**
 * Finds the ends of texts in broken JSON, in which quotes may be unescaped. What was found is kept, so that many texts
 * without an end are searched once.
 */
export function createStringReader(text: string) {
  let end: Searched = { from: 0, at: -1 };
  let key: Searched = { from: 0, at: -1 };

  const covers = ({ from, at }: Searched, begin: number) => begin >= from && begin <= at;

  /** Returns the first quote that may end a text: what follows can follow a text. */
  function nextEnd(from: number): number {
    if (covers(end, from)) return end.at;
    let at = nextQuote(text, from);
    while (at !== -1 && !isEnd(text, at + 1)) at = nextQuote(text, at + 1);
    end = { from, at: at === -1 ? nowhere : at };
    return end.at;
  }

  /** Returns the first key with its colon, which no text has but by accident. */
  function nextKey(from: number): number {
    if (covers(key, from)) return key.at;
    keyToken.lastIndex = from;
    let found = keyToken.exec(text);
    while (found && isEscaped(text, found.index)) {
      keyToken.lastIndex = found.index + 1;
      found = keyToken.exec(text);
    }
    key = { from, at: found ? found.index : nowhere };
    return key.at;
  }

  return {
    /** Returns the quote that ends the text that begins with the quote at an index; -1 if the text is cut. */
    endOfText(begin: number): number {
      const at = nextEnd(begin + 1);
      return at < nextKey(begin + 1) ? at : -1;
    },
    /** Returns the quote that ends a key; -1 if there is none. In keys, every quote ends it. */
    endOfKey: (begin: number) => nextQuote(text, begin + 1),
    /**
     * Returns the place behind the brackets that are open at an index, or without any the comma or bracket behind an
     * item; -1 if it is not before another place, or if nothing can go on there.
     */
    placeBehind({ from, open, before }: { from: number; open: number; before: number }): number {
      let depth = open;
      for (let at = from; at < before; at += 1) {
        const character = text[at] ?? '';
        if (character === '"') {
          const close = nextEnd(at + 1);
          if (close < before) at = close;
        } else if (character === '{' || character === '[') depth += 1;
        else if (depth === 0 && (character === ',' || character === ']')) return at;
        else if (character === '}' || character === ']') {
          depth -= 1;
          if (depth < 0) return -1;
          if (depth === 0 && open > 0) return at + 1;
        }
      }
      return -1;
    },
    /** Returns what a text between quotes means. */
    textBetween(begin: number, close: number): string {
      const inner = text.slice(begin + 1, close);
      if (!inner.includes('\\')) return inner;
      return inner.replaceAll(escape, (_, code: string | undefined, character = '') =>
        code === undefined
          ? (escapes[character as string] ?? (character as string))
          : String.fromCharCode(Number.parseInt(code, 16)),
      );
    },
  };
}

export type StringReader = ReturnType<typeof createStringReader>;

function nextQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function isEnd(text: string, behind: number): boolean {
  let at = behind;
  const isSpace = () => ' \t\r\n'.includes(text[at] ?? '.');
  while (isSpace()) at += 1;
  if (text[at] === '}' || text[at] === ']') return true;
  if (text[at] !== ',') return false;
  do at += 1;
  while (isSpace());
  return /["{[\dtfnN+-]/.test(text[at] ?? '.');
}
