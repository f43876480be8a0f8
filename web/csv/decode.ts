import { t } from '@lingui/core/macro';
/** The text of a file's bytes, or in words why they are none. */
export type Decoded = { text: string } | { problem: string; line?: number };

const saveWords = t`Save it as “CSV UTF-8” and choose it again.`;

/** UTF-8 with or without a byte order mark; for anything else the error names the likely encoding. */
export function decodeFile(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { problem: t`This file is in UTF-16. ${saveWords}` };
  }
  if (first === 0x50 && second === 0x4b) {
    return { problem: t`This is a spreadsheet, not a CSV file. ${saveWords}` };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const line = firstBadLine(bytes);
    return { problem: t`This file is not in UTF-8 but seems to be in Latin-1 (Windows-1252). ${saveWords}`, line };
  }
  if (text.includes('\0')) return { problem: t`This is not a text file.` };
  return { text };
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
