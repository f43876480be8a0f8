/** Where records of one kind follow each other: the message, a list, or an object of objects. */
export type Level = {
  /** Where its first record begins; -1 as long as it has none. */
  begin: number;
  /** Each record follows its key and a colon. */
  isKeyed: boolean;
};

/** Where a message goes on with a record of a level. */
export type Continuation = { at: number; level: number };

const recordBegin = /\{\s*"[^"\\\r\n]{0,64}"\s*:/g;
const firstKey = /\{\s*"([^"\\\r\n]{0,64})"/y;
const keyInRecord = /"([^"\\\r\n]{0,64})"\s*:/g;
const keyBefore = /"[^"\\\r\n]{0,64}"\s*:\s*$/;
const keyBeforeLength = 100;
/** The first keys show of which kind a record is; they are looked for in its first characters. */
const keysMax = 4;
const keysLength = 200;
/** Keys in common with records of another level that show that an item of a list is no item. */
const otherKeysMin = 2;

/** Finds the records behind a cut. Gives up when it has searched twice the length of the text. */
export function createRecordFinder(text: string) {
  const keysOfLevels = new Map<number, readonly string[]>();
  let left = 2 * text.length;
  /** Behind this place, no level is continued. */
  let end = text.length;

  function spend(cost: number): boolean {
    left -= cost;
    return left >= 0;
  }

  function keysAt(begin: number): readonly string[] {
    const keys: string[] = [];
    const piece = text.slice(begin, begin + keysLength);
    keyInRecord.lastIndex = 0;
    for (let found = keyInRecord.exec(piece); found && keys.length < keysMax; found = keyInRecord.exec(piece)) {
      keys.push(found[1] ?? '');
    }
    return keys;
  }

  function keysOf({ begin }: Level): readonly string[] {
    if (begin === -1) return [];
    const keys = keysOfLevels.get(begin) ?? keysAt(begin);
    keysOfLevels.set(begin, keys);
    return keys;
  }

  /** Returns the level whose records begin with the most of the same keys, of several the innermost. */
  function match(at: number, levels: readonly Level[]): Continuation & { score: number } {
    const keys = keysAt(at);
    const keyLength = keyBefore.exec(text.slice(Math.max(0, at - keyBeforeLength), at))?.[0].length ?? 0;
    let best = { at, level: 0, score: 0 };
    for (const [level, one] of levels.entries()) {
      const score = one.isKeyed && keyLength === 0 ? 0 : commonBegin(keys, keysOf(one));
      if (score > 0 && score >= best.score) best = { at: one.isKeyed ? at - keyLength : at, level, score };
    }
    return best;
  }

  return {
    /** Returns the next record that continues one of the levels. */
    next(from: number, levels: readonly Level[]): Continuation | undefined {
      if (from >= end || left < 0) return undefined;
      recordBegin.lastIndex = from;
      let searched = from;
      for (let found = recordBegin.exec(text); found; found = recordBegin.exec(text)) {
        if (!spend(recordBegin.lastIndex - searched)) return undefined;
        searched = recordBegin.lastIndex;
        const { score, at, level } = match(found.index, levels);
        if (score > 0) return { at, level };
        // What begins in the middle of a text is a message of its own.
        if (!/[:,[{]\s*$/.test(text.slice(Math.max(0, found.index - keyBeforeLength), found.index))) {
          return { at: found.index, level: 0 };
        }
      }
      spend(text.length - searched);
      end = searched;
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
      firstKey.lastIndex = at;
      const first = firstKey.exec(text)?.[1];
      if (first === undefined || (own && first === keysOf(own)[0])) return undefined;
      const { score, level } = match(at, levels);
      return score >= otherKeysMin && level < levels.length - 1 ? { at, level } : undefined;
    },
  };
}

export type RecordFinder = ReturnType<typeof createRecordFinder>;

function commonBegin(keys: readonly string[], others: readonly string[]): number {
  let length = 0;
  while (length < keys.length && keys[length] === others[length]) length += 1;
  return length;
}
