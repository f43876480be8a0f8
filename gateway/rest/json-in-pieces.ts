/** Rows that are serialized in one go, whatever their size. */
const rowsAtOnce = 10;
/** This many characters are serialized in one go, if rows are short. */
const charactersAtOnce = 131_072;

/**
 * Returns the same text as `JSON.stringify`. The rows of a long list are serialized in pieces, as a page of the largest rows has
 * megabytes.
 *
 * @param pause lets others use the event loop
 */
export function jsonInPieces(value: unknown, pause: () => Promise<void>): string | Promise<string> {
  return isLongList(value) ? listInPieces(value, pause) : JSON.stringify(value);
}

type List = { data: unknown[] };

function isLongList(value: unknown): value is List {
  const { data } = (value ?? {}) as { data?: unknown };
  return Array.isArray(data) && data.length > rowsAtOnce;
}

async function listInPieces({ data, ...others }: List, pause: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  let characters = 0;
  for (let from = 0; from < data.length; from += rowsAtOnce) {
    if (characters >= charactersAtOnce) {
      characters = 0;
      await pause();
    }
    const piece = JSON.stringify(data.slice(from, from + rowsAtOnce)).slice(1, -1);
    characters += piece.length;
    pieces.push(piece);
  }
  const end = JSON.stringify(others).slice(1);
  return `{"data":[${pieces.join(',')}]${end === '}' ? '' : ','}${end}`;
}
