import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';

// Corrects typing errors in words that no asset, no location and no kind has: one letter that is wrong, missing or
// added, or two swapped letters. Only words of letters are corrected, since a search for one number must not show
// another number.

const lettersMin = 3;
const lettersMax = 30;

/** How many texts of each table are searched for a correction, and how many texts with a similar word are read. */
const candidatesMax = 20_000;
const readMax = 200;

/** The most spellings of one word. */
const spellingsMax = 5;

/** Returns the existing spellings that words may have meant; undefined if nothing can be corrected. */
export async function correctedWords(
  db: Queries,
  orgId: number,
  words: readonly string[],
): Promise<string[][] | undefined> {
  const all = await Promise.all(words.map((word) => spellingsOf(db, orgId, word)));
  return all.some((spellings) => spellings !== undefined) ? words.map((word, at) => all[at] ?? [word]) : undefined;
}

/** Returns similar words that exist; undefined if the word itself exists, or if there are none. */
async function spellingsOf(db: Queries, orgId: number, given: string): Promise<string[] | undefined> {
  const word = given.normalize('NFKC').toLowerCase();
  const length = Array.from(word).length;
  if (!/^\p{L}+$/u.test(word) || length < lettersMin || length > lettersMax) return undefined;
  const pattern = [word, ...similar(word, '.')].join('|');
  const queries = unchangedParts(word).map((part) => Prisma.sql`search_query(${orgId}::int, fold_case(${part}))`);
  const query = Prisma.sql`(SELECT ${Prisma.join(queries, ' || ')})`;
  const texts = (table: string) => Prisma.sql`
    (SELECT search_text(r.name, r.external_key, r.description) AS text
       FROM ${Prisma.raw(table)} r
      WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
        AND search_grams(r.org_id, search_text(r.name, r.external_key, r.description)) @@ ${query}
      LIMIT ${candidatesMax})`;
  const rows = await db.$queryRaw<{ text: string }[]>`
    SELECT c.text
      FROM (${texts('assets')} UNION ALL ${texts('locations')} UNION ALL
            SELECT fold_case(k.name) FROM asset_kinds k WHERE k.org_id = ${orgId}) c
     WHERE c.text ~ fold_case(${pattern})
     ORDER BY strpos(c.text, fold_case(${word})) = 0
     LIMIT ${readMax}`;
  if (rows.some(({ text }) => text.includes(word))) return undefined;
  const beginning = beginningLike(word);
  const counts = new Map<string, number>();
  for (const { text } of rows) {
    for (const found of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
      const spelling = beginning.exec(found)?.[0];
      if (spelling !== undefined) counts.set(spelling, (counts.get(spelling) ?? 0) + 1);
    }
  }
  const spellings = [...counts].toSorted(([, one], [, other]) => other - one).map(([spelling]) => spelling);
  return spellings.length === 0 ? undefined : spellings.slice(0, spellingsMax);
}

/** Returns the spellings that differ from a word by one error; `any` stands for any letter. */
function similar(word: string, any: string): string[] {
  const letters = Array.from(word);
  const spelled = (from: number, to: number, between: string) =>
    [...letters.slice(0, from), between, ...letters.slice(to)].join('');
  const inner = letters.slice(1).map((_, at) => at + 1);
  const isLong = letters.length > lettersMin;
  return [
    ...inner.map((at) => spelled(at - 1, at + 1, `${letters[at] ?? ''}${letters[at - 1] ?? ''}`)),
    ...inner.map((at) => spelled(at, at, any)),
    ...(isLong ? letters.map((_, at) => spelled(at, at + 1, any)) : []),
    ...(letters.length > lettersMin + 1 ? letters.map((_, at) => spelled(at, at + 1, '')) : []),
  ];
}

/** Returns parts of a word for a search by index: every similar word contains at least one of them. */
function unchangedParts(word: string): string[] {
  const letters = Array.from(word);
  const half = Math.floor(letters.length / 2);
  const halves =
    letters.length === lettersMin
      ? [letters.slice(0, 2), letters.slice(1)]
      : [letters.slice(0, half), letters.slice(half)];
  // If the two letters in the middle are swapped, both halves change.
  const exchanged = [half, half + 1].map((at) => [
    ...letters.slice(0, at - 1),
    letters[at] ?? '',
    letters[at - 1] ?? '',
    ...letters.slice(at + 1),
  ]);
  return [...halves, ...exchanged].map((part) => part.join('')).filter((part) => part !== '');
}

/** Returns a pattern for the longest beginning that differs from the beginning of the given word by one error. */
function beginningLike(word: string): RegExp {
  const spellings = similar(word, '.').toSorted((one, other) => other.length - one.length);
  return new RegExp(`^(?:${spellings.join('|')})`, 'u');
}
