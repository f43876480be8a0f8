import { createHash } from 'node:crypto';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { selected } from '../../kernel/database/field-sql.js';
import { assetFields, type Field } from '../../kernel/fields.js';
import { foldText } from '../../kernel/fold-text.js';
import type { ListOf } from '../../kernel/lists.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import type { AssetRow } from '../../things/assets/view.js';
import { type LocationRow, locationRow } from '../../things/locations/view.js';
import { tagsOf } from '../../things/tags/queries.js';
import type { Tag } from '../../things/tags/schemas.js';
import {
  cellFields,
  type CellName,
  detailOf,
  type ImportColumn,
  isCell,
  type ImportKind,
  tagColumns,
} from './columns.js';
import { namesOf } from './location-paths.js';
import { findImport } from './queries.js';
import { createRowReader, type FileRow, type RowTag, type RowValues } from './row-reader.js';
import { listChangesInput } from './schemas.js';
import { importNotFound } from './view.js';

/** A column that a row of a file would change, as texts of at most 500 characters; null for no value. */
export type ImportedField = { column: ImportColumn; before: string | null; after: string | null };

/** The changes of a row of a file to the asset or location that has its key. */
export type ImportedChange = { line: number; id: number; external_key: string; name: string; fields: ImportedField[] };

/** An asset with the beginning of its custom details, as they can be large, and with a hash of all of them. */
type StoredAsset = Omit<AssetRow, 'metadata'> & {
  metadata_start: string;
  metadata_hash: string;
  /** The custom details that the file has columns for, as texts. */
  details: Record<string, string | null> | null;
};

type StoredLocation = LocationRow & { parent_name: string | null };

type StoredRow = StoredAsset | StoredLocation;

/** Lists what a checked file would change, by line. Leaves out rows whose asset or location was deleted since. */
export const listChanges = sessionProcedure('manager')
  .input(listChangesInput)
  .query(async ({ ctx, input: { import_id: importId, ...paging } }): Promise<ListOf<ImportedChange>> => {
    const { db } = ctx.services;
    const found = await findImport(db, ctx.orgId, importId);
    if (!found) throw importNotFound();
    const rows = await changingRows(db, ctx.orgId, { importId, ...paging });
    const stored = await storedRows(db, ctx.orgId, {
      kind: found.kind,
      ids: rows.map(({ target_id: id }) => id),
      details: found.columns.flatMap((column) => detailOf(column) ?? []),
    });
    const readRow = createRowReader(found.kind, found.columns);
    const data = rows.flatMap((row): ImportedChange[] => {
      const read = readRow(row);
      const before = stored.get(row.target_id);
      if (!before || !('values' in read)) return [];
      const { id, external_key, name } = before;
      return [{ line: row.line, id, external_key, name, fields: fieldsOf(found.columns, before, read.values) }];
    });
    return { data, ...paging, total_count: found.to_change ?? 0 };
  });

type ChangingRow = FileRow & { target_id: number };

async function changingRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { importId, limit, offset }: { importId: string; limit: number; offset: number },
): Promise<ChangingRow[]> {
  return db.$queryRaw`
    SELECT line, cells, target_id
      FROM import_rows
     WHERE org_id = ${orgId} AND import_id = ${importId}::uuid AND is_change AND target_id IS NOT NULL
     ORDER BY line
     LIMIT ${limit} OFFSET ${offset}`;
}

async function storedRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { kind, ids, details }: { kind: ImportKind; ids: readonly number[]; details: readonly string[] },
): Promise<Map<number, StoredRow>> {
  const rows: StoredRow[] =
    kind === 'assets'
      ? await db.$queryRaw<StoredAsset[]>`
          SELECT ${selected(assetFields, 'a', { metadata: metadataDigest })}, ${tagsOf('asset', 'a')} AS tags,
                 (SELECT json_object_agg(name, left(a.metadata ->> name, ${textMax})) FROM unnest(${[...details]}::text[]) AS name) AS details
            FROM assets a
           WHERE a.org_id = ${orgId} AND a.id = ANY(${[...ids]}::int[]) AND a.deleted_at IS NULL`
      : await db.$queryRaw<StoredLocation[]>`
          SELECT ${locationRow}, (SELECT p.name FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_name
            FROM locations l
           WHERE l.org_id = ${orgId} AND l.id = ANY(${[...ids]}::int[]) AND l.deleted_at IS NULL`;
  return new Map(rows.map((row) => [row.id, row]));
}

const textMax = 500;

const metadataDigest = Prisma.raw(`
  left(a.metadata::text, ${textMax}) AS metadata_start,
  encode(sha256(convert_to(a.metadata::text, 'UTF8')), 'hex') AS metadata_hash`);

/** Returns the columns of the file that differ. An empty cell that leaves its column unchanged is no difference. */
function fieldsOf(columns: readonly ImportColumn[], before: StoredRow, after: RowValues): ImportedField[] {
  return columns.flatMap((column): ImportedField[] => {
    const [old, next] = textsOf(column, before, after);
    if (old === next) return [];
    return [{ column, before: old?.slice(0, textMax) ?? null, after: next?.slice(0, textMax) ?? null }];
  });
}

function textsOf(
  column: ImportColumn,
  before: StoredRow,
  after: RowValues,
): [before: string | null, after: string | null] {
  const detail = detailOf(column);
  if (detail !== undefined) return detailTexts(detail, before, after);
  if (column === 'metadata') return metadataTexts(before, after.metadata);
  if (isCell(column)) return cellTexts(column, before, after);
  switch (column) {
    case 'parent_external_key':
      return 'parent_name' in before ? parentTexts(before, after.parent_key) : [null, null];
    case 'rfid_tags':
    case 'ble_tags':
    case 'barcode_tags':
      return [
        tagText(before.tags, column),
        tagText(
          after.tags.map((tag) => storedTag(tag, before.tags)),
          column,
        ),
      ];
    default:
      return [null, null];
  }
}

function cellTexts(
  name: Exclude<CellName, 'metadata'>,
  before: StoredRow,
  after: RowValues,
): [before: string | null, after: string | null] {
  const field = cellFields[name];
  const old = (before as Partial<Record<typeof name, string | number | boolean | null>>)[name] ?? null;
  const next = name === 'name' && after.raw_name === old ? old : after[name];
  return [textOf(field, old), textOf(field, next ?? (field.nullable ? null : old))];
}

function textOf({ type }: Field, value: string | number | boolean | null): string | null {
  if (type === 'instant') return formatNullableTimestamp(value as number | null);
  return value === null ? null : String(value);
}

/** A parent that the file names by its name or path is no change. */
function parentTexts(
  { parent_external_key: key, parent_name: name }: StoredLocation,
  given: string | null,
): [string | null, string | null] {
  const last = given === null ? undefined : namesOf(given).at(-1);
  const isSame = name !== null && last !== undefined && foldText(last) === foldText(name);
  return [key, isSame ? key : given];
}

function detailTexts(name: string, before: StoredRow, { details }: RowValues): [string | null, string | null] {
  const known = ('details' in before ? before.details?.[name] : undefined) ?? null;
  const given = details === null ? undefined : (JSON.parse(details) as Record<string, string>)[name];
  return [known, given?.slice(0, textMax) ?? known];
}

function metadataTexts(before: StoredRow, after: string | null): [before: string | null, after: string | null] {
  const next = withoutEmpty(after);
  if (!('metadata_hash' in before)) return [null, next];
  const isSame = after !== null && createHash('sha256').update(after).digest('hex') === before.metadata_hash;
  return [isSame ? next : withoutEmpty(before.metadata_start), next];
}

/** Returns a tag as it is stored, if that is with the blanks or invisible characters at its ends. */
function storedTag({ raw, ...tag }: RowTag, stored: readonly Pick<Tag, 'tag_type' | 'value'>[]) {
  const isStored = raw !== null && stored.some(({ tag_type: type, value }) => type === tag.tag_type && value === raw);
  return isStored ? { ...tag, value: raw } : tag;
}

function withoutEmpty(metadata: string | null): string | null {
  return metadata === '{}' ? null : metadata;
}

/** Returns the values of one type, in any order. */
function tagText(tags: readonly Pick<Tag, 'tag_type' | 'value'>[], column: keyof typeof tagColumns): string | null {
  const values = tags.filter(({ tag_type: type }) => type === tagColumns[column]).map(({ value }) => value);
  return values.length === 0 ? null : values.toSorted().join(', ');
}
