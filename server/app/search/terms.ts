import { wordsOf } from '../../things/assets/word-search.js';
import { gs1Epcs } from '../../things/tags/gs1.js';
import { normalForms } from '../../things/tags/normal-form.js';

/** A search text in the forms in which it may be stored, since indexes compare by code point. */
export type Terms = {
  /** The text as typed, without surrounding white space. */
  q: string;
  /** Forms of `q` as natural keys, which are mostly in capitals, while people type any case. */
  keys: string[];
  /** Forms of `q` as the beginning of a name. */
  names: string[];
  /** Forms of `q` as the beginning of a tag's value; MAC addresses are stored with and without colons. */
  values: string[];
  /** The normal forms of `q` as a tag value, for all types. */
  normalForms: string[];
  /** The EPCs that RFID tags of the article can have, if the text is a code of GS1. */
  epcs: { first: string; last: string }[];
  /** The words of a path, if there are several. */
  words: string[];
};

export function termsOf(text: string): Terms {
  const q = text.trim();
  const upper = q.toUpperCase();
  const lower = q.toLowerCase();
  const words = wordsOf(q);
  return {
    q,
    keys: distinct([q, upper, lower]),
    names: distinct([q, upper, lower, capitalized(q), capitalized(lower)]),
    values: distinct([q, upper, lower, ...macForms(q)]),
    normalForms: distinct(normalForms(q)),
    epcs: gs1Epcs(q),
    words: words.length > 1 ? words : [],
  };
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}

/** Returns a text with and without colons, if it can be the beginning of a MAC address. */
function macForms(text: string): string[] {
  const bare = text.replaceAll(/[:-]/g, '');
  if (!/^[0-9A-Fa-f]{3,12}$/.test(bare)) return [];
  const paired = bare.replaceAll(/(..)(?=.)/g, '$1:');
  return [bare, paired].flatMap((form) => [form.toUpperCase(), form.toLowerCase()]);
}

function distinct(texts: string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
