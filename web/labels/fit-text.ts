/**
 * Returns a text on at most `max` lines of a width that `measure` determines. A text that does not fit ends in an
 * ellipsis.
 */
export function fitLines(
  text: string,
  measure: (text: string) => number,
  room: { width: number; lines: number },
): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < room.lines) {
    const fits = longestFitting(rest, (part) => measure(part) <= room.width);
    if (fits === rest) {
      lines.push(rest);
      return lines;
    }
    if (lines.length === room.lines - 1) {
      lines.push(`${longestFitting(rest, (part) => measure(`${part}…`) <= room.width).trimEnd()}…`);
      return lines;
    }
    const gap = fits.search(/\s\S*$/);
    const line = gap > 0 ? fits.slice(0, gap) : fits;
    if (line === '') return [...lines, '…'];
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the longest beginning that fits, never cut within a visible character. */
function longestFitting(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  const ends = Array.from(graphemes.segment(text), ({ index, segment }) => index + segment.length);
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, ends[middle - 1] ?? 0))) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low === 0 ? 0 : ends[low - 1]);
}
