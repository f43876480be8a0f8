/** Where records of one kind follow each other: the message, a list, or an object of objects. */
export type Level = {
  /** Where its first record begins; -1 as long as it has none. */
  begin: number;
  /** Each record follows its key and a colon. */
  isKeyed: boolean;
  /** The characters of its first record up to the end of the first key; most others begin with the same. */
  head?: string;
};

/** Where a message goes on with a record of a level. */
export type Continuation = { at: number; level: number };

const objectBegin = /\{\s*"[^"\\\r\n]{0,64}"\s*:/g;
/** The begin of an object, or of a row: a list of scalars. */
const recordBegin = /\{\s*"[^"\\\r\n]{0,64}"\s*:|\[\s*["\-\dtfn]/g;
const rowBegin = /\[\s*["\-\dtfn]/y;
const firstKey = /\{\s*"([^"\\\r\n]{0,64})"/y;
const keyInRecord = /"([^"\\\r\n]{0,64})"\s*:/g;
const scalarInRow =
  /[[,]\s*(?:(")(?:[^"\\\r\n]|\\.)*"|(?:-?\d[\d.eE+-]*|true|false|null)|([{[]))(?=\s*[,\]]|(?<=[{[]))/y;
const keyLengthMax = 64;
const beforeLength = 100;
/** The first keys show of which kind an object is, and the first scalars a row; they are looked for in its first characters. */
const tokensMax = 4;
const tokensLength = 200;
/** Keys in common with records of another level that show that an item of a list is no item. */
const otherKeysMin = 2;
/** A row has at least these tokens: its bracket, and a scalar. */
const rowTokensMin = 2;
/** What it costs to compare a record with the levels, in characters that are searched. */
const matchCost = 40;

/** Finds the records behind a cut. Gives up when it has searched twice the length of the text. */
export function createRecordFinder(text: string) {
  const tokensOfLevels = new Map<number, readonly string[]>();
  let left = 2 * text.length;
  /** The places behind which the search for a pattern has found nothing. */
  const ends = new Map<RegExp, number>();

  function spend(cost: number): boolean {
    left -= cost;
    return left >= 0;
  }

  /** Returns the first keys of an object; of a row a bracket, and of which kind its first values are. */
  function tokensAt(begin: number): readonly string[] {
    const piece = text.slice(begin, begin + tokensLength);
    return piece.startsWith('[') ? tokensOfRow(piece) : keysOfObject(piece);
  }

  /** Returns the first of these tokens; undefined if there is none. */
  function firstOf(begin: number): string | undefined {
    if (text[begin] !== '{') return text[begin] === '[' ? '[' : undefined;
    firstKey.lastIndex = begin;
    return firstKey.exec(text)?.[1];
  }

  function isLikeFirst(at: number, level: Level): boolean {
    if (level.begin === -1) return false;
    if (level.head === undefined) {
      firstKey.lastIndex = level.begin;
      level.head = firstKey.test(text) ? text.slice(level.begin, firstKey.lastIndex) : text.charAt(level.begin);
    }
    return level.head !== '{' && text.startsWith(level.head, at);
  }

  function tokensOf({ begin }: Level): readonly string[] {
    if (begin === -1) return [];
    const known = tokensOfLevels.get(begin);
    if (known) return known;
    const tokens = tokensAt(begin);
    tokensOfLevels.set(begin, tokens);
    return tokens;
  }

  /** Returns the level whose records begin with the most of the same tokens, of several the innermost. */
  function match(at: number, levels: readonly Level[]): Continuation & { score: number } {
    let best = { at, level: 0, score: 0 };
    if (!spend(matchCost + levels.length)) return best;
    const tokens = tokensAt(at);
    let keyBegin: number | undefined;
    for (const [level, one] of levels.entries()) {
      if (one.begin === -1) continue;
      if (one.isKeyed && (keyBegin ??= beginOfKeyBefore(text, at)) === at) continue;
      const own = tokensOf(one);
      const score = commonBegin(tokens, own);
      // Rows have no names: all that is known of them must be the same.
      const isOther = own[0] === '[' && (score < rowTokensMin || score < own.length);
      if (score === 0 || score < best.score || isOther) continue;
      best = { at: one.isKeyed ? (keyBegin ?? at) : at, level, score };
    }
    return best;
  }

  /** Returns whether a list in the first row of a list is the second row, and notes it as the one that others are like. */
  function isSecondRow(at: number, levels: readonly Level[]): boolean {
    const list = levels.at(-2);
    const cut = list && text[list.begin] === '[' ? tokensOf(list) : [];
    if (!list || cut.at(-1) !== '[' || !spend(matchCost)) return false;
    const values = cut.slice(0, -1);
    const isSame =
      values.includes('"') && values.length > rowTokensMin && commonBegin(values, tokensAt(at)) === values.length;
    if (isSame) {
      list.begin = at;
      delete list.head;
    }
    return isSame;
  }

  const hasRows = (levels: readonly Level[]) => levels.some(({ begin }) => text[begin] === '[');

  return {
    /** Returns the next record that continues one of the levels. */
    next(from: number, levels: readonly Level[]): Continuation | undefined {
      const pattern = hasRows(levels) ? recordBegin : objectBegin;
      if (from >= (ends.get(pattern) ?? text.length) || left < 0) return undefined;
      pattern.lastIndex = from;
      let searched = from;
      for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
        if (!spend(pattern.lastIndex - searched)) return undefined;
        searched = pattern.lastIndex;
        const { score, at, level } = match(found.index, levels);
        if (score > 0) return { at, level };
        // What begins in the middle of a text is a message of its own.
        const before = text.slice(Math.max(0, found.index - beforeLength), found.index);
        if (found[0].startsWith('{') && !/[:,[{]\s*$/.test(before)) return { at: found.index, level: 0 };
      }
      spend(text.length - searched);
      ends.set(pattern, searched);
      return undefined;
    },
    /** Returns the continuation that an object is which stands where the cut value of a field would be. */
    insteadOfValue(at: number, behind: number, levels: readonly Level[]): Continuation | undefined {
      const plain = levels.map((level) => (level.isKeyed ? { ...level, begin: -1 } : level));
      const { score, level } = match(at, plain);
      return score > 0 && spend(behind - at) ? { at, level } : undefined;
    },
    /** Returns the continuation of another level that an item of the last one is, whose list was cut before it. */
    insteadOfItem(at: number, levels: readonly Level[]): Continuation | undefined {
      const own = levels.at(-1);
      if (!own || isLikeFirst(at, own)) return undefined;
      const first = firstOf(at);
      if (first === undefined || first === firstOf(own.begin)) return undefined;
      if (first === '[' && isSecondRow(at, levels)) return { at, level: levels.length - 2 };
      if (!spend(levels.length)) return undefined;
      if (!levels.some((level) => level !== own && tokensOf(level)[0] === first)) return undefined;
      const { score, level } = match(at, levels.slice(0, -1));
      return score >= otherKeysMin ? { at, level } : undefined;
    },
    /** Returns whether a list at a place is a row. */
    isRow(at: number): boolean {
      rowBegin.lastIndex = at;
      return rowBegin.test(text) && tokensAt(at).length >= rowTokensMin;
    },
    /** Returns whether a row of the list around begins in what would be a text, which is then cut. */
    hasRow({ from, to, levels }: { from: number; to: number; levels: readonly Level[] }): boolean {
      const list = levels.at(-2);
      if (!list || text[list.begin] !== '[') return false;
      const inside = text.slice(from, to);
      for (let at = inside.indexOf('['); at !== -1; at = inside.indexOf('[', at + 1)) {
        if (match(from + at, [list]).score > 0) return true;
      }
      return false;
    },
  };
}

export type RecordFinder = ReturnType<typeof createRecordFinder>;

function keysOfObject(piece: string): string[] {
  const keys: string[] = [];
  keyInRecord.lastIndex = 0;
  for (let found = keyInRecord.exec(piece); found && keys.length < tokensMax; found = keyInRecord.exec(piece)) {
    keys.push(found[1] ?? '');
  }
  return keys;
}

function tokensOfRow(piece: string): string[] {
  const tokens = ['['];
  scalarInRow.lastIndex = 0;
  for (let found = scalarInRow.exec(piece); found && tokens.length <= tokensMax; found = scalarInRow.exec(piece)) {
    tokens.push(found[1] ?? found[2] ?? '0');
    if (found[2] !== undefined) break;
  }
  // A list of lists or of objects has no rows of scalars.
  return tokens[1] === '[' || tokens[1] === '{' ? ['['] : tokens;
}

/** Returns where the key begins that a colon divides from a place; the place itself if there is none. */
function beginOfKeyBefore(text: string, at: number): number {
  const least = Math.max(0, at - beforeLength);
  let i = at - 1;
  const skipSpace = () => {
    while (i >= least && ' \t\r\n'.includes(text.charAt(i))) i -= 1;
  };
  skipSpace();
  if (text[i] !== ':') return at;
  i -= 1;
  skipSpace();
  if (text[i] !== '"') return at;
  const close = i;
  for (i -= 1; i >= least && close - i - 1 <= keyLengthMax; i -= 1) {
    const character = text.charAt(i);
    if (character === '"') return i;
    if ('\\\r\n'.includes(character)) return at;
  }
  return at;
}

function commonBegin(tokens: readonly string[], others: readonly string[]): number {
  let length = 0;
  while (length < tokens.length && tokens[length] === others[length]) length += 1;
  return length;
}
