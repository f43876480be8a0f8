import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const sheetFile = /^xl\/worksheets\/[^/]+\.xml$/;
const beginning = /<((?:[A-Za-z_][\w.-]*:)?rPh)[\s/>]/g;

/**
 * Returns a workbook without the readings (furigana, `rPh`) of texts that are written in its sheets, which the library would append to
 * the texts. Readings of shared texts are no problem.
 */
export function withoutFurigana(bytes: Uint8Array): Uint8Array {
  const sheets = unzipSync(bytes, { filter: ({ name }) => sheetFile.test(name) });
  const changed = Object.entries(sheets).flatMap(([name, sheet]) => {
    const text = strFromU8(sheet);
    const stripped = strip(text);
    return stripped === text ? [] : [[name, strToU8(stripped)] as const];
  });
  if (changed.length === 0) return bytes;
  return zipSync({ ...unzipSync(bytes), ...Object.fromEntries(changed) }, { level: 0 });
}

/** Removes the elements `rPh`, which contain no others of their name. */
function strip(text: string): string {
  let kept = '';
  let at = 0;
  for (const { index, 1: tag = '' } of text.matchAll(beginning)) {
    if (index < at) continue;
    const opened = text.indexOf('>', index);
    const isEmpty = text[opened - 1] === '/';
    const closing = `</${tag}>`;
    const closed = isEmpty ? opened + 1 : text.indexOf(closing, opened) + closing.length;
    if (opened === -1 || closed <= opened) break;
    kept += text.slice(at, index);
    at = closed;
  }
  return kept + text.slice(at);
}
