import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { invisibleIn } from './cell-text.js';
import { type ImportColumn, tagColumnOf, type tagColumns } from './columns.js';
import { targets } from './matching.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

// Spreadsheets turn identifiers that consist of digits into numbers, and save the numbers. Whatever is stored already is
// left alone by these checks: an export imports again unchanged.

/** Errors as Excel, LibreOffice and Google Sheets show them in any language: `#REF!`, `#ÜBERLAUF!`, `#YOK`, `Err:502`. */
const error = '^(#[A-Z\u00C0-\u00DE\u011E\u0130\u015E/0]+[!?]|#N/[AD]|#NV|#YOK|#+|Err:[0-9]{3})$';

/** Texts that programs write where a value is missing; for tags also texts that people write. */
const nothing = String.raw`^(NULL|\\N|[(<[]n(ull|il)[)>\]]|\[NULL\]|NaN|nan|undefined)$`;
const noTag = String.raw`^(null|\\N|[(<[](null|nil)[)>\]]|nan|undefined|none|n/?a|-+|\?+)$`;

/** Letters of UTF-8 that were read in a code page, such as `Ã¼` for ü, and the mark of letters that could not be read. */
const damagedLetters = [
  '[\u00C2-\u00C5\u00D0\u00D1][\u0080-\u00BF€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]',
  'Ã[–—…‘’“”]',
  'â€',
  '\uFFFD',
].join('|');

/** Months as Excel abbreviates them in English, German, French, Italian, Spanish, Portuguese, Dutch and Turkish. */
const month = `(${[
  '[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Mm]ay|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|[Mm]rz|[Mm]är|[Mm]ai|[Oo]kt|[Dd]ez',
  'janv|févr|mars|avr|juin|juil|août|déc|gen|mag|giu|lug|ago|set|ott|dic|ene|abr|fev|out|mrt|mei',
  'Oca|Şub|Nis|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara',
].join('|')})`;
const date = [
  String.raw`[0-9]{1,2}[-.] ?${month}\.?`,
  String.raw`${month}\.?[-. ] ?[0-9]{2}`,
  '[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{4}',
  '[0-9]{4}-[0-9]{2}-[0-9]{2}',
].join('|');

/** Identifiers with what separates values elsewhere between them; a blank may be part of an identifier that it divides in groups. */
const part = String.raw`(?=[^,;\s]*[0-9])[0-9A-Za-z:_-]{4,}`;
const several = String.raw`^${part}((\s*[,;\r\n]\s*|\s+(?=[0-9A-Za-z:_-]{8}))${part})+[,;\s]*$`;

/** A GTIN as it is printed below the bars, or an ISBN; a scanner sends the digits alone. */
const dividedGtin = `(g.tag_type = 'barcode'
    AND g.value ~ '^([0-9]+( [0-9]+)+|97[89]-[0-9]+(-[0-9]+)+)$'
    AND length(translate(g.value, ' -', '')) IN (8, 12, 13, 14))`;

/** What spreadsheets, people and invisible characters have made of tags and keys: what none can be, and what one can be. */
const flaws = Prisma.raw(`CASE
  WHEN g.value ~* '^[+-]?([0-9]+E[+-][0-9]+|[0-9]*[.,\\u066B][0-9]*E[+-]?[0-9]+)$' THEN 'exponent'
  WHEN g.value ~ '[\\u00A0\\u00AD\\u061C\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3164\\uFEFF\\uFFF9-\\uFFFB]' THEN 'invisible'
  WHEN g.value ~ '${error}' THEN 'error'
  WHEN g.value ~* '${noTag}' THEN 'nothing'
  WHEN g.tag_type = 'barcode' AND g.value ~ '^[*][^*]+[*]$' THEN 'asterisks'
  WHEN g.value ~ '^[0-9]+[.,]0+$' OR g.value ~ '^''[0-9]+$' OR g.value ~ '^[0-9]{1,3}([.,''\\u2019][0-9]{3}){2,}$' OR ${dividedGtin} THEN 'number'
  WHEN g.value ~ '^[1-9][0-9]{14}0+$' THEN 'rounded'
  WHEN g.value ~ '^(${date})$' THEN 'date'
  WHEN g.value ~ '${several}' THEN 'several'
END`);

type TextFlaw = 'exponent' | 'error' | 'nothing' | 'letters';
type Flaw = TextFlaw | 'invisible' | 'asterisks' | 'number' | 'rounded' | 'date' | 'several';

const flawWords: Readonly<Record<Exclude<Flaw, 'invisible'>, string>> = {
  exponent: 'is a number in exponent notation',
  error: 'is an error of a spreadsheet',
  nothing: 'is what programs write for no value',
  letters: 'has damaged letters',
  asterisks: 'has the asterisks of a barcode font',
  number: 'is a formatted number',
  rounded: 'may have been rounded to 15 digits',
  date: 'may have been turned into a date',
  several: 'may be several tags',
};

const isCertain: ReadonlySet<Flaw> = new Set<Flaw>(['exponent', 'invisible', 'error']);

/** Returns new keys and tags that a spreadsheet seems to have damaged. The rows are staged and matched. */
export async function checkDamage(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const zeros = [...(await zerosOfStored(tx, job)), ...(await zerosOfBarcodes(tx)), ...(await zerosOfColumns(tx))];
  // One value can look wrong in several ways; the surest one comes first.
  const first = new Map(zeros.map((lost) => [`${lost.line} ${lost.column} ${lost.value}`, lost] as const).toReversed());
  return [
    ...(await emptyNames(tx)),
    ...(await flawedTexts(tx, job)),
    ...(await flawed(tx)),
    ...Array.from(first.values(), lostZeros),
  ];
}

/** Finds new names of invisible characters alone. */
async function emptyNames(tx: TransactionClient): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number }[]>`
    SELECT line FROM staged WHERE name = raw_name ORDER BY line`;
  return rows.map(({ line }) => ({
    line,
    column: 'name',
    message: 'name must be at least 1 character(s)',
    reason: { name: 'text_too_short', params: { min: 1 } },
  }));
}

/** Finds names, descriptions, kinds and custom details that a failed formula, another encoding or another program has left. */
async function flawedTexts(tx: TransactionClient, { orgId, kind }: Job): Promise<Problem[]> {
  const ofAssets =
    kind === 'assets'
      ? Prisma.sql`
          UNION ALL SELECT 'kind', s.kind, (SELECT k.name FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = s.kind_id)
          UNION ALL SELECT 'detail:' || d.key, d.value, t.metadata ->> d.key FROM json_each_text(s.details) AS d`
      : Prisma.empty;
  const rows = await tx.$queryRaw<{ line: number; field: ImportColumn; text: string; flaw: TextFlaw }[]>`
    SELECT line, field, left(text, ${shownMax}::int) AS text, flaw
      FROM (SELECT s.line, c.field, c.text, ${textFlaws} AS flaw
              FROM staged s
              LEFT JOIN ${targets[kind].table} t ON t.org_id = ${orgId} AND t.id = s.id
             CROSS JOIN LATERAL (
                SELECT 'name' AS field, s.name AS text, t.name AS stored
                UNION ALL SELECT 'description', s.description, t.description
                ${ofAssets}) c
             WHERE s.is_valid AND c.text IS DISTINCT FROM c.stored
            OFFSET 0) found
     WHERE flaw IS NOT NULL
     ORDER BY line`;
  return rows.map(({ line, field, text, flaw }) => ({
    line,
    column: field,
    message: `text "${text}" ${flawWords[flaw]}`,
    isWarning: true,
  }));
}

/** The number of characters of a text that its problem shows. */
const shownMax = 100;

const textFlaws = Prisma.raw(`CASE
  WHEN c.text ~ '${error}' THEN 'error'
  WHEN c.text ~ '${nothing}' THEN 'nothing'
  WHEN c.text ~ '${damagedLetters}' THEN 'letters'
  WHEN c.text ~* '^[0-9]([.,][0-9]+)?E[+][0-9]{2,3}$' THEN 'exponent'
END`);

async function flawed(tx: TransactionClient): Promise<Problem[]> {
  const rows = await tx.$queryRaw<{ line: number; tag_type: TagType | null; value: string; flaw: Flaw }[]>`
    SELECT line, tag_type, value, flaw
      FROM (SELECT g.line, g.ordinal, g.tag_type, g.value, ${flaws} AS flaw
              FROM (SELECT line, ordinal, tag_type, value FROM staged_tags WHERE is_new
                    UNION ALL
                    SELECT line, -1, NULL, external_key FROM staged WHERE id IS NULL AND external_key IS NOT NULL) g) found
     WHERE flaw IS NOT NULL
     ORDER BY line, ordinal`;
  return rows.map(({ line, tag_type: type, value, flaw }): Problem => {
    const words =
      flaw === 'invisible' ? `contains the invisible character ${invisibleIn(value) ?? ''}` : flawWords[flaw];
    const message = type === null ? `external_key ${value} ${words}` : `tag ${type}:${value} ${words}`;
    const column = type === null ? 'external_key' : tagColumnOf(type);
    return { line, column, message, ...(!isCertain.has(flaw) && { isWarning: true }) };
  });
}

type TagType = (typeof tagColumns)[keyof typeof tagColumns];

/** A number that seems to have lost the zeros that it began with. */
type Lost = { line: number; column: ImportColumn; value: string; expected: string };

function lostZeros({ line, column, value, expected }: Lost): Problem {
  const message = `${column} ${value} may have lost leading zeros of ${expected}`;
  return { line, column, message, isWarning: true };
}

/** Finds keys and tags that are stored with more zeros in front, unless the file has these as well. */
async function zerosOfStored(tx: TransactionClient, { orgId, kind }: Job): Promise<Lost[]> {
  const { table } = targets[kind];
  return tx.$queryRaw`
    SELECT s.line, 'external_key' AS column, s.external_key AS value, min(t.external_key) AS expected
      FROM staged s
      JOIN ${table} t ON t.org_id = ${orgId} AND t.deleted_at IS NULL AND ltrim(t.external_key, '0') = s.external_key
     WHERE s.id IS NULL
       AND s.external_key ~ '^[1-9][0-9]*$'
       AND t.external_key LIKE '0%'
       AND NOT EXISTS (SELECT FROM staged o WHERE o.external_key = t.external_key)
     GROUP BY s.line, s.external_key
    UNION ALL
    SELECT g.line, g.tag_type || '_tags', g.value, min(t.value)
      FROM staged_tags g
      JOIN tags t ON t.org_id = ${orgId} AND t.deleted_at IS NULL AND t.tag_type = g.tag_type AND ltrim(t.value, '0') = g.value
     WHERE g.is_new
       AND g.value ~ '^[1-9][0-9]*$'
       AND t.value LIKE '0%'
       AND NOT EXISTS (SELECT FROM staged_tags o WHERE o.tag_type = t.tag_type AND o.value = t.value)
     GROUP BY g.line, g.tag_type, g.value
     ORDER BY line`;
}

/**
 * Finds barcodes whose check digit is right, and that would be a GTIN or an SSCC if zeros came before them. Most barcodes of a
 * length must be so, since every tenth of any numbers has a right check digit.
 */
async function zerosOfBarcodes(tx: TransactionClient): Promise<Lost[]> {
  return tx.$queryRaw`
    WITH numbers AS (
      SELECT g.line, g.value, length(g.value) AS digits, g.is_new,
             (SELECT sum(substr(g.value, n, 1)::int * CASE (length(g.value) - n) % 2 WHEN 0 THEN 1 ELSE 3 END)
                FROM generate_series(1, length(g.value)) AS n) % 10 = 0 AS is_right
        FROM staged_tags g
       WHERE g.tag_type = 'barcode' AND g.value ~ '^[1-9]([0-9]{6}|[0-9]{9,10}|[0-9]{16})$'
    ), typical AS (
      SELECT digits FROM numbers GROUP BY digits HAVING count(*) FILTER (WHERE is_right) * 2 > count(*)
    )
    SELECT line, 'barcode_tags' AS column, value,
           lpad(value, CASE digits WHEN 7 THEN 8 WHEN 17 THEN 18 ELSE 12 END, '0') AS expected
      FROM numbers
     WHERE is_new AND is_right AND digits IN (SELECT digits FROM typical)
     ORDER BY line`;
}

/**
 * Finds numbers that are shorter than nearly all others of their column, which have one length. Numbers that are close to each
 * other count something, from 1 or over a power of ten.
 */
async function zerosOfColumns(tx: TransactionClient): Promise<Lost[]> {
  return tx.$queryRaw`
    WITH numbers AS (
      SELECT line, 'external_key' AS column, external_key AS value, id IS NULL AS is_new
        FROM staged
       WHERE external_key ~ '^[0-9]+$'
      UNION ALL
      SELECT line, tag_type || '_tags', value, is_new FROM staged_tags WHERE value ~ '^[0-9]+$'
    ), lengths AS (
      SELECT n.column, length(value) AS digits, count(*) AS amount, min(value::numeric) AS low, max(value::numeric) AS high
        FROM numbers n
       GROUP BY n.column, length(value)
    ), columns AS (
      SELECT l.column, (array_agg(digits ORDER BY amount DESC, digits DESC))[1] AS usual, max(amount) AS usual_amount,
             sum(amount) AS amount, max(high) - min(low) AS range
        FROM lengths l
       GROUP BY l.column
    )
    SELECT n.line, n.column, n.value, lpad(n.value, c.usual, '0') AS expected
      FROM numbers n
      JOIN columns c ON c.column = n.column
     WHERE n.is_new
       AND length(n.value) < c.usual
       AND n.value LIKE ANY (ARRAY['1%', '2%', '3%', '4%', '5%', '6%', '7%', '8%', '9%'])
       AND c.usual >= 4
       AND c.usual_amount >= 2
       AND c.usual_amount * 3 >= c.amount * 2
       AND c.range > c.amount * 10
     ORDER BY n.line`;
}
