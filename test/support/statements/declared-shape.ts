import { type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync';
import { addShape, type Kind, type Shape, shape } from './shape.js';

/** Types deeper than this, and so all that contain themselves, count as `any`. */
const maxDepth = 8;

const primitives: readonly (readonly [TypeFlags, Kind])[] = [
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined, 'undefined'],
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.BigIntLike, 'bigint'],
];

const classes: Readonly<Record<string, Kind>> = {
  Date: 'date',
  Uint8Array: 'bytes',
  Buffer: 'bytes',
  Decimal: 'decimal',
};

/** The shape that a type declares. */
export function declaredShape(type: Type, checker: Checker, depth = 0): Shape {
  if (depth > maxDepth || (type.flags & (TypeFlags.AnyOrUnknown | TypeFlags.TypeParameter)) !== 0) return shape('any');
  const primitive = primitives.find(([flags]) => (type.flags & flags) !== 0);
  if (primitive) return shape(primitive[1]);
  if (type.isUnionType()) {
    const union = shape();
    for (const part of type.getTypes()) addShape(union, declaredShape(part, checker, depth));
    return union;
  }
  if (type.isIntersectionType()) {
    const parts = type.getTypes().map((part) => declaredShape(part, checker, depth));
    return parts.find(({ kinds }) => !kinds.has('object')) ?? objectShape(type, checker, depth);
  }
  const known = classes[type.getSymbol()?.name ?? ''];
  if (known) return shape(known);
  if (checker.isArrayLikeType(type)) return arrayShape(type, checker, depth);
  return objectShape(type, checker, depth);
}

function arrayShape(type: Type, checker: Checker, depth: number): Shape {
  const element = shape();
  if (type.isTypeReference()) {
    for (const part of checker.getTypeArguments(type)) addShape(element, declaredShape(part, checker, depth + 1));
  }
  return { kinds: new Set(['array']), element };
}

function objectShape(type: Type, checker: Checker, depth: number): Shape {
  // Of an object with keys of all kinds no field is known.
  if (checker.getIndexInfosOfType(type).length > 0) return shape('object');
  const properties = checker.getPropertiesOfType(type);
  const types = checker.getTypeOfSymbol(properties);
  const fields = properties.map((property, index): [string, Shape] => {
    const declared = types[index];
    const field = declared ? declaredShape(declared, checker, depth + 1) : shape('any');
    if ((property.flags & SymbolFlags.Optional) !== 0) field.kinds.add('undefined');
    return [property.name, field];
  });
  return { kinds: new Set(['object']), fields: new Map(fields) };
}
