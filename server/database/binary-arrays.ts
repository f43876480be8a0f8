/** A column of rows that are passed as arrays: the type of its elements, and the value of a row. */
export type Column<Item> =
  | readonly [type: 'int' | 'int8' | 'float8' | 'real', of: (item: Item) => number | null]
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

/** The columns of rows by name. */
export type RowColumns<Item> = Readonly<Record<string, Column<Item>>>;

/**
 * Rows whose values are written when they are added, so that nothing of a row has to be kept until all of them are sent:
 * each column as an array in PostgreSQL's binary format, which `pg` sends unchanged.
 */
export type Rows<Item> = {
  /** @throws RangeError if a whole number does not fit into the type of its column */
  add(item: Item): void;
  count(): number;
  /** Returns the arrays, in the order of the columns. */
  arrays(): Buffer[];
};

/** Creates rows; `expected` is about how many there will be. */
export function createRows<Item>(columns: RowColumns<Item>, expected: number): Rows<Item> {
  const writers = Object.values(columns).map((column) => createColumnWriter(column, expected));
  let count = 0;
  return {
    add(item) {
      for (const writer of writers) writer.add(item);
      count += 1;
    },
    count: () => count,
    arrays: () => writers.map((writer) => writer.array(count)),
  };
}

/** Returns the arrays of all columns of some rows. */
export function arraysOf<Item>(items: readonly Item[], columns: RowColumns<Item>): Buffer[] {
  const rows = createRows(columns, items.length);
  for (const item of items) rows.add(item);
  return rows.arrays();
}

/** The ids of the element types, from PostgreSQL's catalog `pg_type`. */
const typeIds = { int: 23, int8: 20, float8: 701, real: 700, text: 25, ascii: 25 } as const;

/** Lengths of elements. Those of text are a guess, since its writer grows. */
const lengths = { int: 4, int8: 8, float8: 8, real: 4, text: 32, ascii: 128 } as const;

/** Dimensions, whether there are nulls, the type of elements, their number, and the index of the first one. */
const headerBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

type ColumnWriter<Item> = { add(item: Item): void; array(count: number): Buffer };

type Output = { bytes: Buffer; view: DataView; at: number };

function createColumnWriter<Item>(column: Column<Item>, expected: number): ColumnWriter<Item> {
  const [type] = column;
  const bytes = Buffer.allocUnsafeSlow(headerBytes + expected * (lengthBytes + lengths[type]));
  const out: Output = { bytes, view: viewOf(bytes), at: headerBytes };
  out.view.setInt32(0, 1);
  out.view.setInt32(4, 0);
  out.view.setInt32(8, typeIds[type]);
  out.view.setInt32(16, 1);
  return {
    add: adderOf(out, column),
    array(count) {
      out.view.setInt32(12, count);
      return out.bytes.subarray(0, out.at);
    },
  };
}

function adderOf<Item>(out: Output, column: Column<Item>): (item: Item) => void {
  if (column[0] === 'text') {
    const of = column[1];
    return (item) => addText(out, of(item));
  }
  if (column[0] === 'ascii') {
    const write = column[2];
    return (item) => {
      reserve(out, lengthBytes + asciiBytesMax);
      const end = write(item, out.bytes, out.at + lengthBytes);
      addLength(out, end - out.at - lengthBytes);
      out.at = end;
    };
  }
  const [type, of] = column;
  const set = setters[type];
  const bytes = lengths[type];
  return (item) => {
    reserve(out, lengthBytes + bytes);
    const value = of(item);
    if (value === null) {
      out.view.setInt32(4, 1);
      addLength(out, nullLength);
      return;
    }
    addLength(out, bytes);
    set(out.view, out.at, value);
    out.at += bytes;
  };
}

function addLength(out: Output, bytes: number): void {
  out.view.setInt32(out.at, bytes);
  out.at += lengthBytes;
}

/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const unitBytesMax = 3;

function addText(out: Output, value: string): void {
  reserve(out, lengthBytes + value.length * unitBytesMax);
  const bytes = out.bytes.write(value, out.at + lengthBytes);
  addLength(out, bytes);
  out.at += bytes;
}

const setters = {
  int: setInt,
  int8: setInt8,
  float8: (view: DataView, at: number, value: number) => view.setFloat64(at, value),
  real: (view: DataView, at: number, value: number) => view.setFloat32(at, value),
};

function setInt(view: DataView, at: number, value: number): void {
  if ((value | 0) !== value) throw new RangeError(`${value} is not a 32-bit integer`);
  view.setInt32(at, value);
}

const upperWeight = 2 ** 32;

function setInt8(view: DataView, at: number, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer`);
  const upper = Math.floor(value / upperWeight);
  view.setInt32(at, upper);
  view.setUint32(at + 4, value - upper * upperWeight);
}

/** Makes room for more bytes. */
function reserve(out: Output, bytes: number): void {
  if (out.at + bytes <= out.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(2 * (out.at + bytes));
  out.bytes.copy(larger, 0, 0, out.at);
  out.bytes = larger;
  out.view = viewOf(larger);
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
