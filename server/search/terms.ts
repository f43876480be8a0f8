/** What is looked for, in the forms in which it may be stored: indexes compare by code point. */
export type Terms = {
  /** As it was typed, without white space around it. */
  q: string;
  /** `q` as natural keys are written: they are mostly capitals, and people type what they like. */
  keys: string[];
  /** `q` as the beginning of a name. */
  names: string[];
  /** `q` as the beginning of a tag's value; MAC addresses are stored with and without colons. */
  values: string[];
  /** The normal forms that a tag's value is compared in, whatever its type. */
  normalForms: string[];
  /** The words of a path, where there are several. */
  words: string[];
};

/** A text of more words is no path. */
const wordsMax = 8;

export function termsOf(text: string): Terms {
  const q = text.trim();
  const upper = q.toUpperCase();
  const lower = q.toLowerCase();
  const words = q.split(/[\s/›>]+/).filter((word) => word !== '');
  return {
    q,
    keys: distinct([q, upper, lower]),
    names: distinct([q, upper, lower, capitalized(q), capitalized(lower)]),
    values: distinct([q, upper, lower, ...macForms(q)]),
    normalForms: distinct([upper, upper.replaceAll(/[:-]/g, '')]),
    words: words.length > 1 && words.length <= wordsMax ? words : [],
  };
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/** With and without colons, where it can be the beginning of a MAC address. */
function macForms(text: string): string[] {
  const bare = text.replaceAll(/[:-]/g, '');
  if (!/^[0-9A-Fa-f]{3,12}$/.test(bare)) return [];
  const paired = bare.replaceAll(/(..)(?=.)/g, '$1:');
  return [bare, paired].flatMap((form) => [form.toUpperCase(), form.toLowerCase()]);
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
