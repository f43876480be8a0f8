/** What a value can be, as far as rows have it. */
export type Kind =
  | 'null'
  | 'undefined'
  | 'string'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'date'
  | 'bytes'
  | 'decimal'
  | 'array'
  | 'object'
  | 'any';

/** The type of a value, declared or seen. */
export type Shape = {
  readonly kinds: Set<Kind>;
  /** Of objects whose keys are fixed: their fields by name. */
  fields?: Map<string, Shape>;
  /** Of arrays: their elements. */
  element?: Shape;
};

export function shape(...kinds: Kind[]): Shape {
  return { kinds: new Set(kinds) };
}

/** Widens a shape, so that it has what another one has. */
export function addShape(target: Shape, added: Shape): void {
  for (const kind of added.kinds) target.kinds.add(kind);
  if (added.element) {
    if (target.element) addShape(target.element, added.element);
    else target.element = added.element;
  }
  if (added.fields) addFields(target, added.fields);
}

/** Fields that only one of two objects has can be undefined. */
function addFields(target: Shape, added: Map<string, Shape>): void {
  if (!target.fields) {
    target.fields = new Map(added);
    return;
  }
  for (const [name, field] of target.fields) if (!added.has(name)) field.kinds.add('undefined');
  for (const [name, field] of added) {
    const known = target.fields.get(name);
    if (known) addShape(known, field);
    else target.fields.set(name, { ...field, kinds: new Set([...field.kinds, 'undefined']) });
  }
}

/** The shape of a value that was parsed from JSON. */
export function shapeOfJson(value: unknown): Shape {
  if (value === null) return shape('null');
  if (Array.isArray(value)) {
    const array = shape('array');
    for (const element of value) addShape(array, { kinds: new Set(), element: shapeOfJson(element) });
    return array;
  }
  if (typeof value === 'object') {
    return { kinds: new Set(['object']), fields: new Map(Object.entries(value).map(([k, v]) => [k, shapeOfJson(v)])) };
  }
  return shape(typeof value as Kind);
}

/**
 * Lists where values of one shape are not of the declared one, as `tags[].value can be null`: kinds that are not declared,
 * declared fields that are missing, and fields that nobody declared.
 *
 * @param name what the value is called
 */
export function differences(name: string, declared: Shape, actual: Shape): string[] {
  if (declared.kinds.has('any')) return [];
  const found = [...actual.kinds]
    .filter((kind) => !declared.kinds.has(kind))
    .map((kind) => `${name} can be ${kind}, and is declared as ${kindsOf(declared)}`);
  if (declared.element && actual.element) found.push(...differences(`${name}[]`, declared.element, actual.element));
  if (declared.fields && actual.fields) found.push(...fieldDifferences(name, declared.fields, actual.fields));
  return found;
}

function fieldDifferences(name: string, declared: Map<string, Shape>, actual: Map<string, Shape>): string[] {
  const prefix = name === '' ? '' : `${name}.`;
  const found: string[] = [];
  for (const [field, type] of declared) {
    const value = actual.get(field);
    if (value) found.push(...differences(`${prefix}${field}`, type, value));
    else if (!type.kinds.has('undefined')) found.push(`${prefix}${field} is declared, and not selected`);
  }
  for (const field of actual.keys()) {
    if (!declared.has(field)) found.push(`${prefix}${field} is selected, and not declared`);
  }
  return found;
}

function kindsOf({ kinds }: Shape): string {
  return [...kinds].join(' | ') || 'never';
}
