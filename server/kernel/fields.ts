import { formatTimestamp } from './time.js';

// The fields of assets and locations, each once. Code that reads, writes, compares, records or exports fields takes them
// from here. test/docs/recipes.test.ts finds columns that are not here, and places that lack a field.

/** The rows that have fields. */
export type ResourceKind = 'asset' | 'location';

/** The types of columns, and of their values in the service: an instant is epoch milliseconds. */
type ValueTypes = { int: number; text: string; boolean: boolean; instant: number; json: Record<string, unknown> };

/**
 * Where a field is used:
 * - `view`: in the public view, which REST answers and webhooks have
 * - `create`, `patch`: in requests that write it
 * - `bulk`: in edits of many assets
 * - `log`: in the activity log, and so in what can be undone
 * - `csv`: in exports and imports
 */
export type Use = 'view' | 'create' | 'patch' | 'bulk' | 'log' | 'csv';

export type Field = {
  readonly type: keyof ValueTypes;
  /** Whether null is a value. If not, an empty cell of a file leaves what is stored. */
  readonly nullable?: true;
  /** The value of a new row for which none is given, as SQL; `clock.now` is the instant of the statement. */
  readonly default?: string;
  readonly uses: readonly Use[];
  /** For the id of another row: the field that has its name, in the activity log and in the app's texts. */
  readonly label?: string;
  /** The column of files, if it is neither the label nor the name of the field. */
  readonly csv?: string;
  /** Selects the value, in SQL, for a field without a column. */
  readonly select?: (alias: string) => string;
};

export type Fields = Readonly<Record<string, Field>>;

export const everywhere = ['view', 'create', 'patch', 'bulk', 'log', 'csv'] as const;
const exceptBulk = ['view', 'create', 'patch', 'log', 'csv'] as const;
const notPatched = ['view', 'create', 'log', 'csv'] as const;

/** The fields of assets, by column, in the order of the public view. */
export const assetFields = {
  id: { type: 'int', uses: ['view'] },
  external_key: { type: 'text', uses: notPatched },
  name: { type: 'text', uses: exceptBulk },
  description: { type: 'text', nullable: true, uses: everywhere },
  is_active: { type: 'boolean', default: 'true', uses: everywhere },
  metadata: { type: 'json', default: "'{}'", uses: everywhere },
  valid_from: { type: 'instant', default: 'clock.now', uses: everywhere },
  valid_to: { type: 'instant', nullable: true, uses: everywhere },
  created_at: { type: 'instant', uses: ['view'] },
  updated_at: { type: 'instant', uses: ['view'] },
  deleted_at: { type: 'instant', nullable: true, uses: ['view'] },
  kind_id: { type: 'int', nullable: true, uses: ['create', 'bulk', 'log', 'csv'], label: 'kind' },
  belongs_to_id: {
    type: 'int',
    nullable: true,
    uses: ['create', 'bulk', 'log', 'csv'],
    label: 'belongs_to',
    csv: 'belongs_to_external_key',
  },
} as const satisfies Fields;

/** The fields of locations, by column, in the order of the public view. A deleted parent keeps its key here. */
export const locationFields = {
  id: { type: 'int', uses: ['view'] },
  external_key: { type: 'text', uses: notPatched },
  name: { type: 'text', uses: exceptBulk },
  description: { type: 'text', nullable: true, uses: exceptBulk },
  parent_id: { type: 'int', nullable: true, uses: exceptBulk, label: 'parent', csv: 'parent_external_key' },
  parent_external_key: {
    type: 'text',
    nullable: true,
    uses: ['view'],
    select: (alias: string) =>
      `(SELECT p.external_key FROM locations p WHERE p.org_id = ${alias}.org_id AND p.id = ${alias}.parent_id)`,
  },
  is_active: { type: 'boolean', default: 'true', uses: exceptBulk },
  valid_from: { type: 'instant', default: 'clock.now', uses: exceptBulk },
  valid_to: { type: 'instant', nullable: true, uses: exceptBulk },
  created_at: { type: 'instant', uses: ['view'] },
  updated_at: { type: 'instant', uses: ['view'] },
  deleted_at: { type: 'instant', nullable: true, uses: ['view'] },
  assets_free: { type: 'boolean', nullable: true, uses: ['log'] },
} as const satisfies Fields;

/** The names of the fields that are used for something. */
export type FieldFor<All extends Fields, For extends Use> = {
  [Name in keyof All]: Extract<All[Name]['uses'][number], For> extends never ? never : Name & string;
}[keyof All];

export type ValueOf<One extends Field> = ValueTypes[One['type']] | (One extends { nullable: true } ? null : never);

/** The values of the fields that are used for something. */
export type ValuesFor<All extends Fields, For extends Use> = { [Name in FieldFor<All, For>]: ValueOf<All[Name]> };

/** What the columns of files are called. */
export type CsvColumn<All extends Fields> = {
  [Name in FieldFor<All, 'csv'>]: All[Name] extends { csv: infer Column extends string }
    ? Column
    : All[Name] extends { label: infer Label extends string }
      ? Label
      : Name;
}[FieldFor<All, 'csv'>];

/** Fields whose values are in the cells of files: all but ids of other rows. */
export type CellField<All extends Fields> = {
  [Name in FieldFor<All, 'csv'>]: All[Name] extends { label: string } ? never : Name;
}[FieldFor<All, 'csv'>];

/** Returns the names of the fields that are used for something, in their order. */
export function fieldsFor<All extends Fields, For extends Use>(fields: All, use: For): FieldFor<All, For>[] {
  return Object.keys(fields).filter((name) => fields[name]?.uses.includes(use)) as FieldFor<All, For>[];
}

/** Returns the columns of files. */
export function csvColumns<All extends Fields>(fields: All): CsvColumn<All>[] {
  return fieldsFor(fields, 'csv').map((name) => fields[name]?.csv ?? fields[name]?.label ?? name) as CsvColumn<All>[];
}

/** Returns the given values of the fields that are used for something; undefined values are left out. */
export function valuesFor<All extends Fields, For extends Use>(
  fields: All,
  use: For,
  given: { readonly [Name in FieldFor<All, For>]?: ValueOf<All[Name]> | undefined },
): Partial<ValuesFor<All, For>> {
  const present = fieldsFor(fields, use).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return Object.fromEntries(present) as Partial<ValuesFor<All, For>>;
}

/** Returns the fields except some. */
export function without<All extends Fields, Name extends keyof All>(
  fields: All,
  names: readonly Name[],
): Omit<All, Name> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(names as readonly unknown[]).includes(name)),
  ) as Omit<All, Name>;
}

/** Values with timestamps instead of instants (contract 1.5). */
export type Viewed<All extends Fields, Values> = {
  [Name in keyof Values]: Name extends keyof All
    ? All[Name]['type'] extends 'instant'
      ? Exclude<Values[Name], number> | string
      : Values[Name]
    : Values[Name];
};

/** Returns values of fields with timestamps instead of instants; other values stay. */
export function viewed<All extends Fields, Values extends object>(fields: All, values: Values): Viewed<All, Values> {
  const members = Object.entries(values).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' && fields[name]?.type === 'instant' ? formatTimestamp(value) : value,
  ]);
  return Object.fromEntries(members) as Viewed<All, Values>;
}

/**
 * Returns a function that makes the public view of a row, and of members that are not fields, such as its tags. It is made once, since
 * lists call it for each row.
 */
export function viewer<All extends Fields, Other extends string = never>(
  fields: All,
  others: readonly Other[] = [],
): <Row extends ValuesFor<All, 'view'> & Record<Other, unknown>>(
  row: Row,
) => Viewed<All, ValuesFor<All, 'view'>> & Pick<Row, Other> {
  const members = [
    ...fieldsFor(fields, 'view').map((name) => ({ name, isInstant: fields[name]?.type === 'instant' })),
    ...others.map((name) => ({ name, isInstant: false })),
  ];
  // A copy of an object with all members costs a fraction of adding them one by one.
  const empty = Object.fromEntries(members.map(({ name }) => [name, null]));
  return (row) => {
    const view: Record<string, unknown> = { ...empty };
    for (const { name, isInstant } of members) {
      const value = row[name];
      view[name] = isInstant && value !== null ? formatTimestamp(value as number) : value;
    }
    return view as Viewed<All, ValuesFor<All, 'view'>> & Pick<typeof row, Other>;
  };
}

/**
 * Returns the values of fields in a version of a row that the database has recorded as JSON. Instants, which are texts there,
 * become epoch milliseconds; columns that are no fields are left out.
 */
export function recordedValues(fields: Fields, version: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(version).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return [];
    return [[name, field.type === 'instant' && typeof value === 'string' ? Date.parse(value) : value]];
  });
  return Object.fromEntries(members) as Record<string, unknown>;
}

/** Returns the fields of the public view of such a version; a field that it does not have is null. */
export function recordedRow<All extends Fields>(
  fields: All,
  version: Readonly<Record<string, unknown>>,
): ValuesFor<All, 'view'> {
  const nulls = Object.fromEntries(fieldsFor(fields, 'view').map((name) => [name, null]));
  return { ...nulls, ...recordedValues(fields, version) } as ValuesFor<All, 'view'>;
}
