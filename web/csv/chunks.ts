type Row = { line: number; cells: string[] };

/** The most rows of one request: a larger request would show no progress for long. */
const chunkRowsMax = 2500;

const encoder = new TextEncoder();

/** Splits rows into requests with a limited number of bytes of JSON. A row that is too long by itself ends them. */
export function* chunksOf(rows: readonly Row[], bytesMax: number): Generator<Row[] | { tooLong: Row }> {
  let chunk: Row[] = [];
  let bytes = 2;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    if (size + 2 > bytesMax) {
      yield { tooLong: row };
      return;
    }
    if (chunk.length > 0 && (bytes + size > bytesMax || chunk.length === chunkRowsMax)) {
      yield chunk;
      chunk = [];
      bytes = 2;
    }
    chunk.push(row);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
