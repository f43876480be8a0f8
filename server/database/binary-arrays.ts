/** A column of rows that are passed as arrays: the type of its elements, and the value of a row. */
export type Column<Item> =
  | readonly [type: 'int' | 'int8' | 'float8' | 'real' | 'tid', of: (item: Item) => number | null]
  | readonly [type: 'text', of: (item: Item) => string]
  | readonly [type: 'ascii', of: (item: Item) => unknown, write: AsciiWriter<Item>];

/** Writes text into `bytes` at an index, at most `asciiBytesMax` bytes, and returns the index after it. */
type AsciiWriter<Value> = (value: Value, bytes: Uint8Array, at: number) => number;

export const asciiBytesMax = 4096;

/** Returns a column of ASCII text that is written without becoming a string. */
export function asciiColumn<Item, Value>(of: (item: Item) => Value, write: AsciiWriter<Value>): Column<Item> {
  return ['ascii', of, (item, bytes, at) => write(of(item), bytes, at)];
}

/** Returns the name of a column's element type in SQL. */
export function elementType<Item>([type]: Column<Item>): string {
  return type === 'ascii' ? 'text' : type;
}

/** A row's `ctid` as one number, for columns of the type `tid`. */
export function rowIdOf(block: number, offset: number): number {
  return block * offsetsMax + offset;
}

const offsetsMax = 65_536;

/** The ids of the element types, from PostgreSQL's catalog `pg_type`. */
const oids = { int: 23, int8: 20, float8: 701, real: 700, text: 25, ascii: 25, tid: 27 } as const;

/** Dimensions, whether there are nulls, the type of elements, their number, and the index of the first one. */
const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

let scratch = Buffer.allocUnsafeSlow(1024 * 1024);
let view = new DataView(scratch.buffer);

/**
 * Returns the values of a column as an array in PostgreSQL's binary format, which `pg` sends unchanged. Text would have to
 * be made here and parsed there, and would stay on the heap until the database has answered.
 *
 * @throws RangeError if a whole number does not fit into its type
 */
export function binaryArray<Item>(items: readonly Item[], column: Column<Item>): Buffer {
  reserve(headerBytes, 0);
  view.setInt32(0, 1);
  view.setInt32(4, 0);
  view.setInt32(8, oids[column[0]]);
  view.setInt32(12, items.length);
  view.setInt32(16, 1);
  const end = writeElements(items, column);
  return Buffer.from(scratch.subarray(0, end));
}

function writeElements<Item>(items: readonly Item[], column: Column<Item>): number {
  if (column[0] === 'text') return writeTexts(items, column[1]);
  if (column[0] === 'ascii') return writeAscii(items, column[2]);
  const [type, of] = column;
  const write = writers[type];
  let at = reserve(items.length * (lengthBytes + write.bytes), headerBytes);
  for (const item of items) {
    const value = of(item);
    if (value === null) {
      view.setInt32(4, 1);
      view.setInt32(at, nullLength);
      at += lengthBytes;
      continue;
    }
    view.setInt32(at, write.bytes);
    write.set(at + lengthBytes, value);
    at += lengthBytes + write.bytes;
  }
  return at;
}

const writers = {
  int: { bytes: 4, set: setInt },
  int8: { bytes: 8, set: setInt8 },
  float8: { bytes: 8, set: (at: number, value: number) => view.setFloat64(at, value) },
  real: { bytes: 4, set: (at: number, value: number) => view.setFloat32(at, value) },
  tid: { bytes: 6, set: setRowId },
};

function setInt(at: number, value: number): void {
  if ((value | 0) !== value) throw new RangeError(`${value} is not a 32-bit integer`);
  view.setInt32(at, value);
}

const upperWeight = 2 ** 32;

function setInt8(at: number, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
  const upper = Math.floor(value / upperWeight);
  view.setInt32(at, upper);
  view.setUint32(at + 4, value - upper * upperWeight);
}

function setRowId(at: number, rowId: number): void {
  const block = Math.floor(rowId / offsetsMax);
  view.setUint32(at, block);
  view.setUint16(at + 4, rowId - block * offsetsMax);
}

/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const unitBytesMax = 3;

function writeTexts<Item>(items: readonly Item[], of: (item: Item) => string): number {
  let at = headerBytes;
  for (const item of items) {
    const value = of(item);
    reserve(lengthBytes + value.length * unitBytesMax, at);
    const bytes = scratch.write(value, at + lengthBytes);
    view.setInt32(at, bytes);
    at += lengthBytes + bytes;
  }
  return at;
}

function writeAscii<Item>(items: readonly Item[], write: AsciiWriter<Item>): number {
  let at = headerBytes;
  for (const item of items) {
    reserve(lengthBytes + asciiBytesMax, at);
    const end = write(item, scratch, at + lengthBytes);
    view.setInt32(at, end - at - lengthBytes);
    at = end;
  }
  return at;
}

/** Makes room for more bytes at an index, which is returned. */
function reserve(bytes: number, at: number): number {
  if (at + bytes <= scratch.length) return at;
  const larger = Buffer.allocUnsafeSlow(2 * (at + bytes));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
  view = new DataView(scratch.buffer);
  return at;
}
