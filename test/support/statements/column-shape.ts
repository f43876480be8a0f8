import type { RecordedColumn } from './recorder.js';
import { type Kind, type Shape, shape } from './shape.js';

/** The kinds of values of columns by the id of the type in `pg_type`. */
const kinds = new Map<number, Kind>([
  [16, 'boolean'],
  [17, 'bytes'],
  [18, 'string'],
  [19, 'string'],
  [20, 'bigint'],
  [21, 'number'],
  [23, 'number'],
  [25, 'string'],
  [26, 'bigint'],
  [700, 'number'],
  [701, 'number'],
  [1042, 'string'],
  [1043, 'string'],
  [1082, 'date'],
  [1114, 'date'],
  [1184, 'date'],
  [1700, 'decimal'],
  [2950, 'string'],
]);

/** The types of the elements of array types. */
const elementTypeIds = new Map([
  [1000, 16],
  [1001, 17],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1115, 1114],
  [1185, 1184],
  [1231, 1700],
  [2951, 2950],
]);

/** What node-postgres gives as text when nobody parses it, as it does not fit a number. */
const unparsed: Readonly<Partial<Record<Kind, Kind>>> = { bigint: 'string', decimal: 'string' };

/**
 * The shape of the rows that an answer has.
 *
 * @param isPlain whether node-postgres parses the values by itself, and not as Prisma does
 * @throws for a type that no column has so far, `void` excepted
 */
export function rowShape(columns: readonly RecordedColumn[], isPlain: boolean): Shape {
  const fields = columns.map((column): [string, Shape] => [column.name, columnShape(column, isPlain)]);
  return { kinds: new Set(['object']), fields: new Map(fields) };
}

/** Arrays of JSON, whose elements are not looked into. */
const jsonArrayTypeIds = new Set([199, 3807]);

function columnShape({ typeId, isNull, json, name }: RecordedColumn, isPlain: boolean): Shape {
  const value = typeShape(typeId, isPlain) ?? json;
  if (!value && typeId !== 114 && typeId !== 3802) throw new Error(`column ${name} has the unknown type ${typeId}`);
  const column: Shape = { ...value, kinds: new Set(value?.kinds) };
  if (isNull) column.kinds.add('null');
  return column;
}

function typeShape(typeId: number, isPlain: boolean): Shape | undefined {
  if (jsonArrayTypeIds.has(typeId)) return shape('array');
  const elementTypeId = elementTypeIds.get(typeId);
  if (elementTypeId !== undefined) {
    const element = typeShape(elementTypeId, isPlain);
    return { kinds: new Set(['array']), ...(element && { element }) };
  }
  const kind = kinds.get(typeId);
  return kind && shape((isPlain && unparsed[kind]) || kind);
}
