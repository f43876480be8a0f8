import { t } from '@lingui/core/macro';
import { numberText } from '../ui/quantity.js';

/** The text of a file's bytes, or in words why they are none. */
export type Decoded = { text: string; encoding: Encoding } | { problem: string };

export type Encoding = 'UTF-8' | 'UTF-16' | CodePage;

type CodePage = `Windows-${number}` | 'Big5' | 'EUC-KR' | 'GBK' | 'Shift_JIS';

/** What Excel saves as CSV where Windows has one of these languages; in all others Windows-1252. */
const codePages: Readonly<Partial<Record<CodePage, readonly string[]>>> = {
  Big5: ['zh-hk', 'zh-mo', 'zh-tw'],
  'EUC-KR': ['ko'],
  GBK: ['zh'],
  Shift_JIS: ['ja'],
  'Windows-874': ['th'],
  'Windows-1250': ['bs', 'cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl', 'sq'],
  'Windows-1251': ['be', 'bg', 'mk', 'ru', 'sr', 'uk'],
  'Windows-1253': ['el'],
  'Windows-1254': ['az', 'tr'],
  'Windows-1255': ['he', 'yi'],
  'Windows-1256': ['ar', 'fa', 'ur'],
  'Windows-1257': ['et', 'lt', 'lv'],
  'Windows-1258': ['vi'],
};

/** Code pages whose texts often contain bytes that could be UTF-8. */
const densePages: ReadonlySet<string> = new Set<CodePage>(['Big5', 'EUC-KR', 'GBK', 'Shift_JIS', 'Windows-874']);

/** Returns the encoding of files that are not Unicode on a computer of this language. */
function codePageOf(language: string): CodePage {
  const full = language.toLowerCase();
  const [base = ''] = full.split('-');
  const all = Object.entries(codePages) as [CodePage, readonly string[]][];
  return all.find(([, languages]) => languages.includes(full) || languages.includes(base))?.[0] ?? 'Windows-1252';
}

/**
 * Returns the text of a file, without its byte order mark. UTF-16 is recognized by its mark or its zero bytes. What is not
 * UTF-8 is in the code page of the language, unless some of it can only be UTF-8, or it has bytes without a meaning there: then
 * it is damaged.
 *
 * @param language the language of the computer
 */
export function decodeFile(bytes: Uint8Array, language = globalThis.navigator?.language ?? ''): Decoded {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) {
    return { problem: t`This is a spreadsheet of another kind. Save it as an Excel workbook (.xlsx) or as CSV.` };
  }
  const wide = wideEncoding(bytes);
  if (wide) {
    const text = new TextDecoder(wide).decode(bytes);
    return text.endsWith('\uFFFD')
      ? { problem: t`The end of this file is missing. Copy or save it again.` }
      : checked(text, 'UTF-16');
  }
  try {
    return checked(new TextDecoder('utf-8', { fatal: true }).decode(bytes), 'UTF-8');
  } catch {
    const encoding = codePageOf(language);
    const text = new TextDecoder(encoding).decode(bytes);
    const isDamaged = (!densePages.has(encoding) && hasSequence(bytes)) || /[\x80-\x9F\uFFFD]/.test(text);
    if (!isDamaged) return checked(text, encoding);
    const line = numberText(firstBadLine(bytes));
    return {
      problem: t`This file is damaged: a character on line ${line} is in another encoding than the rest. Save it as “CSV UTF-8” and choose it again.`,
    };
  }
}

function checked(text: string, encoding: Encoding): Decoded {
  return text.includes('\0') ? { problem: t`This is not a text file.` } : { text, encoding };
}

/** Returns the byte order of UTF-16, if the first two characters have a mark or are of ASCII. */
function wideEncoding([a, b, c, d]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'utf-16be';
  return undefined;
}

/**
 * Returns whether a file has a character of two or more bytes that is valid UTF-8 and improbable in a code page. The letters
 * that are left out are rare, and are `É` with a no-break space or `»` in Windows-1252, as French has them.
 */
function hasSequence(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes);
  return /[\u0080-\u017F\u02B0-\uFFFC]/.test(text);
}

/** UTF-8 has the byte of a line's end nowhere else, so lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    try {
      decoder.decode(bytes.subarray(start, end === -1 ? undefined : end));
    } catch {
      return line;
    }
    if (end === -1) return line;
    start = end + 1;
  }
}
