import { Prisma } from '../generated/prisma/client.js';
import type { Database } from './database/client.js';
import { jsonSizeOf } from './json-size.js';
import { type CountedRow, type ListOf, type Paging, rowsOfPage } from './lists.js';
import { pageInPieces } from './page-pieces.js';
import { fewTagsOf, type TagParent, tagsTextOf } from './tags/queries.js';
import type { Tag } from './tags/schemas.js';

/** Custom details of this size are read with their page; larger ones are read apart. */
const detailBytesMax = 16_384;

/** So many tags of a row are read with its page; more are read apart. A tag has at most 1 KiB. */
const tagsMax = 25;

/** Details and tags of one piece, in bytes; a row that has more is a piece of its own. */
const pieceBytes = 1_048_576;

/** Rows that the first statement measures. Each further one measures twice as many as the one before had space for. */
const aheadFirst = 4;

/** The members of a row that can be large. Locations have no custom details. */
type LargeMembers = { metadata?: Record<string, unknown>; tags: Tag[] };

/** A row of an asset or a location. */
export type LargeRow = LargeMembers & { id: number };

/** A row of a page. Large custom details and tags are null and read apart. */
export type Listed<Full extends LargeRow> = Omit<Full, keyof LargeMembers> & {
  [Member in keyof Full & keyof LargeMembers]: Full[Member] | null;
} & { id: number };

/** Selects the custom details of the alias `a`, null if they are large. Those that are large as they are stored are not read for that. */
export const listedMetadata = Prisma.raw(`
    CASE WHEN pg_column_size(a.metadata) <= ${detailBytesMax} AND octet_length(a.metadata::text) <= ${detailBytesMax}
         THEN a.metadata
    END AS metadata`);

/** Selects the tags of the row of an alias, null if they are large. */
export function listedTags(parent: TagParent, alias: string): Prisma.Sql {
  return Prisma.sql`${fewTagsOf(parent, alias, tagsMax)} AS tags`;
}

/** The context of a procedure that returns rows, of which each can be large (`context.ts`). */
export type RowsContext = {
  services: { db: Database };
  orgId: number;
  writesPieces?: true | undefined;
  reserve?: ((bytes: number) => void) | undefined;
};

/** The rest of a list with rows that can be large. */
export type ListedPage<Full extends LargeRow, Item extends object> = {
  parent: TagParent;
  paging: Paging;
  view: (row: Full) => Item;
};

/**
 * Returns a page out of rows that each carry `total_count`. One with large rows is written in pieces where the caller
 * can do that; otherwise it is held in memory, within the bounds of the answer.
 */
export async function pageOfListed<Full extends LargeRow, Item extends object>(
  { services: { db }, orgId, reserve, writesPieces }: RowsContext,
  counted: readonly CountedRow<Listed<Full>>[],
  { parent, paging, view }: ListedPage<Full, Item>,
): Promise<ListOf<Item>> {
  const rows = rowsOfPage<Listed<Full>, { total_count: number }>(counted);
  const page = { ...paging, total_count: counted[0]?.total_count ?? 0 };
  if (rows.every(isFull)) return { data: rows.map((row) => view(row as Full)), ...page };
  if (writesPieces) {
    const read = () => textsOf(readPieces(db, orgId, { parent, rows }), view);
    return pageInPieces(page, { read, bytes: jsonSizeOf(rows) });
  }
  const data: Item[] = [];
  for await (const piece of fullRowsOf<Full>(db, orgId, { parent, rows })) {
    reserve?.(piece.bytes);
    data.push(...piece.rows.map((row) => view(row)));
  }
  return { data, ...page };
}

function isFull(row: { metadata?: unknown; tags: unknown }): boolean {
  return row.metadata !== null && row.tags !== null;
}

type ReadRequest<Read> = { parent: TagParent; rows: readonly Read[] };

/** Returns the rows of a page with all their members, in pieces, and the bytes of those that were read apart. */
export async function* fullRowsOf<Full extends LargeRow, Read extends Listed<Full> = Listed<Full>>(
  db: Queryable,
  orgId: number,
  request: ReadRequest<Read>,
): AsyncGenerator<{ rows: (Read & Full)[]; bytes: number }> {
  for await (const { rows, apart, bytes } of readPieces(db, orgId, request)) {
    yield { rows: rows.map((row) => ({ ...row, ...parsed(apart.get(row.id)) }) as Read & Full), bytes };
  }
}

function parsed(texts: Texts | undefined): Partial<LargeMembers> {
  return texts
    ? { metadata: JSON.parse(texts.metadata) as Record<string, unknown>, tags: JSON.parse(texts.tags) as Tag[] }
    : {};
}

/** Returns the views of rows as JSON texts. What was read apart stays the text that it is: parsing it is expensive. */
async function* textsOf<Full extends LargeRow>(
  pieces: AsyncIterable<Piece<Listed<Full>>>,
  view: (row: Full) => object,
): AsyncGenerator<string[]> {
  for await (const { rows, apart } of pieces) {
    yield rows.map((row) => {
      const texts: Record<string, string | undefined> = apart.get(row.id) ?? {};
      // The view of a row only passes on the members that can be large.
      const members = Object.entries(view(row as unknown as Full)).map(
        ([key, value]) => `"${key}":${texts[key] ?? JSON.stringify(value)}`,
      );
      return `{${members.join(',')}}`;
    });
  }
}

type Queryable = Pick<Database, '$queryRaw'>;

/** Members of a row that were read apart, as JSON. */
type Texts = { metadata: string; tags: string };

/** Rows of a page, and by id what was read apart of them. */
type Piece<Read> = { rows: Read[]; apart: ReadonlyMap<number, Texts>; bytes: number };

/**
 * Reads the large members of a page. They are those of the time at which they are read, and can be newer than
 * `updated_at`.
 */
async function* readPieces<Read extends { id: number; metadata?: unknown; tags: unknown }>(
  db: Queryable,
  orgId: number,
  { parent, rows }: ReadRequest<Read>,
): AsyncGenerator<Piece<Read>> {
  let ahead = aheadFirst;
  for (let next = 0; next < rows.length; ) {
    const rest = rows.slice(next);
    const large = rest.filter((row) => !isFull(row)).map(({ id }) => id);
    const read = large.length === 0 ? [] : await readMembers(db, orgId, { parent, ids: large.slice(0, ahead) });
    const apart = new Map(read.map(({ id, metadata, tags }) => [id, { metadata, tags }]));
    const end = rest.findIndex((row) => !isFull(row) && !apart.has(row.id));
    const complete = end === -1 ? rest : rest.slice(0, end);
    next += complete.length;
    ahead = read.length * 2;
    yield { rows: complete, apart, bytes: read.at(-1)?.bytes ?? 0 };
  }
}

/** The large members of a row, empty if it has been removed since, and the bytes of all rows up to it. */
type MembersRow = { id: number; metadata: string; tags: string; bytes: number };

const tables = {
  asset: { table: Prisma.raw('assets'), metadata: Prisma.raw('r.metadata::text') },
  location: { table: Prisma.raw('locations'), metadata: Prisma.raw(`'{}'::text`) },
};

/** Returns the large members of the first given rows, as many as a piece has space for, and at least one. */
async function readMembers(
  db: Queryable,
  orgId: number,
  { parent, ids }: { parent: TagParent; ids: readonly number[] },
): Promise<MembersRow[]> {
  const { table, metadata } = tables[parent];
  return db.$queryRaw<MembersRow[]>`
    SELECT sized.id, sized.metadata, sized.tags, sized.bytes
      FROM (
        SELECT wanted.id, wanted.no, coalesce(found.metadata, '{}') AS metadata, coalesce(found.tags, '[]') AS tags,
               sum(coalesce(octet_length(found.metadata) + octet_length(found.tags), 0)) OVER (ORDER BY wanted.no)::float8 AS bytes
          FROM unnest(${[...ids]}::int[]) WITH ORDINALITY AS wanted (id, no)
          LEFT JOIN LATERAL (
            SELECT ${metadata} AS metadata, ${tagsTextOf(parent, 'r')} AS tags
              FROM ${table} r
             WHERE r.org_id = ${orgId} AND r.id = wanted.id OFFSET 0
          ) found ON true
      ) sized
     WHERE sized.no = 1 OR sized.bytes <= ${pieceBytes}
     ORDER BY sized.no`;
}
