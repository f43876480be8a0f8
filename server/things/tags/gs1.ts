import { epcsOf, serialMax } from './epc.js';
import { expandedUpcE, hasCheckDigit } from './gtin.js';

/**
 * Lengths of elements, including the identifier, by the first two digits of the identifier. All other elements end with
 * a separator, or at the end of the text.
 */
const fixedLengths = new Map(
  Object.entries({
    4: '20',
    8: '11 12 13 14 15 16 17 18 19',
    10: '31 32 33 34 35 36',
    16: '01 02 03 41',
    18: '04',
    20: '00',
  }).flatMap(([length, starts]) => starts.split(' ').map((start) => [start, Number(length)] as const)),
);
/** Characters that GS1 data cannot contain: the separator, or whatever a scanner sends in its place. */
const separators = /[^!"%-?A-Z_a-z]/;

/** Names that older Digital Links use instead of the digits of identifiers. */
const aliases: Readonly<Record<string, string>> = {
  gtin: '01',
  ser: '21',
  lot: '10',
  cpv: '22',
  sscc: '00',
  gln: '414',
  glnx: '254',
  grai: '8003',
  giai: '8004',
};

/**
 * Identifiers of GS1 that name a thing or a location, each with the identifier of the serial number that makes it
 * unique.
 */
const primaries: readonly { ai: string; serial?: string; data: RegExp; hasCheck: boolean }[] = [
  { ai: '01', serial: '21', data: /^\d{14}$/, hasCheck: true },
  { ai: '00', data: /^\d{18}$/, hasCheck: true },
  { ai: '414', serial: '254', data: /^\d{13}$/, hasCheck: true },
  { ai: '8003', data: /^0\d{13}[!-z]{0,16}$/, hasCheck: false },
  { ai: '8004', data: /^[!-z]{1,30}$/, hasCheck: false },
  { ai: '253', data: /^\d{13}[!-z]{0,17}$/, hasCheck: false },
  { ai: '8017', data: /^\d{18}$/, hasCheck: true },
  { ai: '8018', data: /^\d{18}$/, hasCheck: true },
];

/**
 * Only codes that begin like this are recognized without a GS1 marker, since the length and the check digit are
 * unlikely to match by chance.
 */
const unmarked = /^(?:01\d{14}|00\d{18}|414\d{13}|253\d{13}|8003\d{14}|8004\d{7}|801[78]\d{18})/;
/** A number as it is printed, in groups. */
const groups = /^\d+(?:[ -]\d+)+$/;

type Elements = ReadonlyMap<string, string>;

/**
 * Returns how a code of GS1 may be stored as the value of a tag, apart from its own spelling, the most usual first: as
 * an element string, in the form with parentheses, as a Digital Link and, where it has no serial number, as the bare
 * number. Empty for any other text. If a code has a serial number, the GTIN alone is not one of the spellings.
 */
export function gs1Spellings(text: string): string[] {
  const { parts, hasCheck } = identifierIn(text);
  const [first] = parts;
  if (!first) return [];
  const spellings = [
    ...(parts.length === 1 && hasCheck ? bareNumbers(first) : []),
    parts.map(({ ai, data }) => `${ai}${data}`).join(''),
    parts.map(({ ai, data }) => `(${ai})${data}`).join(''),
    `https://id.gs1.org/${parts.map(({ ai, data }) => `${ai}/${encodeURIComponent(data)}`).join('/')}`,
  ];
  return spellings.filter((spelling) => spelling !== text);
}

/**
 * Returns the ranges of EPCs that an RFID tag with the identifier of a code of GS1 can have, in hexadecimal digits:
 * single EPCs for a code that names one thing; for a GTIN alone, the EPCs with any serial number.
 */
export function gs1Epcs(text: string): { first: string; last: string }[] {
  const [identifier, serial] = identifierIn(text).parts;
  if (!identifier) return [];
  const { ai, data } = identifier;
  const isArticle = ai === '01' && !serial;
  const firsts = epcsOf(ai, data, isArticle ? '0' : serial?.data);
  const lasts = isArticle ? epcsOf(ai, data, serialMax) : firsts;
  return firsts.map((first, index) => ({ first, last: lasts[index] ?? first }));
}

/** Returns the identifier of a code of GS1, and the serial number after it if there is one; no parts for any other text. */
function identifierIn(text: string): { parts: { ai: string; data: string }[]; hasCheck: boolean } {
  const elements = elementsOf(text.trim());
  const primary = primaries.find(({ ai, data, hasCheck }) => {
    const value = elements.get(ai);
    return value !== undefined && data.test(value) && (!hasCheck || hasCheckDigit(value));
  });
  if (!primary) return { parts: [], hasCheck: false };
  const parts = [primary.ai, ...(primary.serial === undefined ? [] : [primary.serial])].flatMap((ai) => {
    const data = elements.get(ai);
    return data === undefined ? [] : [{ ai, data }];
  });
  return { parts, hasCheck: primary.hasCheck };
}

/** Returns a number as barcodes have it: article numbers have no leading zeros there. */
function bareNumbers({ ai, data }: { ai: string; data: string }): string[] {
  if (ai !== '01') return [data];
  return [14, 13, 12, 8].filter((length) => !/[^0]/.test(data.slice(0, -length))).map((length) => data.slice(-length));
}

function elementsOf(text: string): Elements {
  if (/^https?:\/\//i.test(text)) return digitalLink(text);
  const [, aim = '', scanned = ''] = /^(\][A-Za-z]\d)?(.*)$/s.exec(text) ?? [];
  const code = groups.test(scanned) ? scanned.replaceAll(/[ -]/g, '') : scanned;
  if (/^\(\d{2,4}\)/.test(code)) return parenthesized(code);
  const gtin = (expandedUpcE(code) ?? code).padStart(14, '0');
  if (/^(?:\d{8}|\d{12,14})$/.test(code) && hasCheckDigit(gtin)) return new Map([['01', gtin]]);
  if (/^\d{18}$/.test(code)) return new Map([['00', code]]);
  return /^\](?:C1|e0|d2|Q3|J1)$/.test(aim) || unmarked.test(code) ? elementString(code) : new Map();
}

function parenthesized(text: string): Elements {
  const found = text.matchAll(/\((\d{2,4})\)((?:(?!\(\d{2,4}\)).)*)/gs);
  return new Map(Array.from(found, ([, ai = '', data = '']) => [ai, data.replaceAll(/\s/g, '')]));
}

/**
 * Reads an element string as far as possible. After data of variable length, the next element is found only if there is
 * a separator.
 */
function elementString(text: string): Elements {
  const elements = new Map<string, string>();
  for (let rest = text; rest !== ''; ) {
    if (separators.test(rest[0] ?? '')) {
      rest = rest.slice(1);
      continue;
    }
    const length = fixedLengths.get(rest.slice(0, 2));
    const element = length === undefined ? (rest.split(separators, 1)[0] ?? '') : rest.slice(0, length);
    const digits = aiLength(element);
    elements.set(element.slice(0, digits), element.slice(digits));
    rest = rest.slice(element.length);
  }
  return elements;
}

function aiLength(element: string): number {
  if (/^(?:3[1-69]|43|7[02]|8[0-2])/.test(element)) return 4;
  return /^(?:2[3-5]|4[0-2]|71)/.test(element) ? 3 : 2;
}

/** Reads the address of a Digital Link, of any domain: pairs of identifier and data at the end of its path. */
function digitalLink(address: string): Elements {
  const segments = segmentsOf(address);
  const start = segments.findIndex((segment) => primaries.some(({ ai }) => ai === aiNamed(segment)));
  const elements = new Map<string, string>();
  for (let at = start; at >= 0 && at + 1 < segments.length; at += 2) {
    const ai = aiNamed(segments[at] ?? '');
    const data = segments[at + 1] ?? '';
    elements.set(ai, ai === '01' ? data.padStart(14, '0') : data);
  }
  return elements;
}

function segmentsOf(address: string): string[] {
  try {
    return new URL(address).pathname.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function aiNamed(segment: string): string {
  return Object.hasOwn(aliases, segment) ? (aliases[segment] ?? segment) : segment;
}
