import { z } from 'zod';
import {
  allOf,
  type CountedRow,
  likePattern,
  type ListOf,
  pageOf,
  type Paging,
  pagingFields,
} from '../../kernel/lists.js';
import { formatTimestamp, type Stored } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { listField } from '../../kernel/validation/list-field.js';
import { idParameter, textParameter } from '../../kernel/validation/parameters.js';
import { tagTypeField, valueField } from './schemas.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { countOf, type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { namedRow } from '../../things/locations/tree.js';
import type { TagType } from '../../things/tags/schemas.js';

const dismissedMax = 500;

const unknownInput = z
  .strictObject({
    ...pagingFields,
    q: textParameter({ min: 1, max: 255 }).exactOptional(),
    reader_id: idParameter().exactOptional(),
  })
  .prefault({});

/**
 * Lists values that were read but are not attached to anything, latest first; with `reader_id`, only the values and
 * counts of this reader. `total_count` stops at 1,000; `is_more` is then true.
 */
export const listUnknownValues = sessionProcedure('viewer')
  .input(unknownInput)
  .query(async ({ ctx, input: { limit, offset, ...filter } }): Promise<ListOf<UnknownValue> & { is_more: boolean }> => {
    const paging = { limit, offset };
    const rows = await listUnknownValueRows(ctx.services.db, ctx.orgId, { filter, paging });
    const page = pageOf(rows, paging, unknownValue);
    return {
      ...page,
      total_count: Math.min(page.total_count, unknownCountMax),
      is_more: page.total_count > unknownCountMax,
    };
  });

const dismissInput = z.strictObject({
  values: listField(z.strictObject({ tag_type: tagTypeField.nullable(), value: valueField }), {
    min: 1,
    max: dismissedMax,
  }),
});

/** Deletes unknown values. A value that is read again comes back with a new count. */
export const dismissUnknown = sessionProcedure('manager')
  .input(dismissInput)
  .mutation(async ({ ctx, input: { values } }): Promise<void> => {
    await removeUnknownValues(ctx.services.db, ctx.orgId, values);
  });

function unknownValue({ id: _id, ...row }: UnknownValueRow): UnknownValue {
  return {
    ...row,
    first_seen: formatTimestamp(row.first_seen),
    last_seen: formatTimestamp(row.last_seen),
    places: row.places.map((place) => ({ ...place, last_seen: formatTimestamp(place.last_seen) })),
  };
}

/** Values are counted up to this number. */
const unknownCountMax = 1000;
/** How many locations of a value are returned, latest first. */
const placesMax = 5;

type UnknownFilter = { q?: string; reader_id?: number };

/** Where an unknown value was read. */
export type UnknownPlace = {
  /** Null for handhelds. */
  reader: { id: number; name: string } | null;
  antenna: number | null;
  location: { id: number; name: string } | null;
  count: number;
  last_seen: string;
};

/** A value that was read but is not attached to anything, with the places where it was read. */
export type UnknownValue = {
  value: string;
  /** Null if a handheld read it without a type. */
  tag_type: TagType | null;
  count: number;
  first_seen: string;
  last_seen: string;
  place_count: number;
  /** The latest locations where it was read. */
  places: UnknownPlace[];
};

type UnknownValueRow = Stored<Omit<UnknownValue, 'places'>, 'first_seen' | 'last_seen'> & {
  id: number;
  places: Stored<UnknownPlace, 'last_seen'>[];
};

/**
 * Returns a page of the values that were read and are not attached to anything, latest first. The row that was seen
 * last represents all rows of its value. So a scan of the time index finds the page, however many rows there are, and
 * the rows of these values are summed afterwards. Values that were attached meanwhile are left out, even if ingestion
 * has just counted them.
 */
async function listUnknownValueRows(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  { filter, paging }: { filter: UnknownFilter; paging: Paging },
): Promise<CountedRow<UnknownValueRow>[]> {
  const ofReader = (alias: string) =>
    filter.reader_id === undefined ? undefined : Prisma.sql`${Prisma.raw(alias)}.reader_id = ${filter.reader_id}::int`;
  const newer = allOf([
    Prisma.sql`o.org_id = ${orgId}::int AND o.tag_type = u.tag_type AND o.value = u.value`,
    Prisma.sql`(o.last_seen > u.last_seen OR o.last_seen = u.last_seen AND o.id < u.id)`,
    ofReader('o'),
  ]);
  const source = Prisma.raw('unknown_tags u');
  const conditions = [
    Prisma.sql`u.org_id = ${orgId}::int`,
    ofReader('u'),
    filter.q === undefined
      ? undefined
      : Prisma.sql`fold_case(u.value) LIKE (SELECT fold_case(${likePattern(filter.q)}))`,
    Prisma.sql`NOT EXISTS (SELECT 1 FROM unknown_tags o WHERE ${newer} OFFSET 0)`,
    Prisma.sql`NOT EXISTS (${belonging(Prisma.sql`${orgId}::int`)} OFFSET 0)`,
  ];
  const list: ListQuery = {
    source,
    conditions,
    paging,
    columns: Prisma.raw('u.id, u.tag_type, u.value, u.last_seen'),
    order: Prisma.raw('u.last_seen DESC, u.id'),
    total: countOf(
      Prisma.sql`(SELECT 1 FROM ${source} WHERE ${allOf(conditions)} LIMIT ${unknownCountMax + 1}::int) bounded`,
    ),
  };
  return db.$queryRaw<CountedRow<UnknownValueRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, u.id::float8 AS id, u.tag_type, u.value, summed.*
      FROM counts
      LEFT JOIN (
        page u
         CROSS JOIN LATERAL (
           SELECT sum(r.count)::float8 AS count, min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen,
                  count(*)::int AS place_count,
                  (array_agg(json_build_object(
                     'reader', r.reader, 'antenna', r.antenna, 'location', r.location, 'count', r.count,
                     'last_seen', r.last_seen) ORDER BY r.last_seen DESC))[1:${placesMax}::int] AS places
             FROM (${placesOf(orgId, 'u.tag_type = p.tag_type', filter.reader_id)}
                   UNION ALL
                   ${placesOf(orgId, 'u.tag_type IS NULL AND p.tag_type IS NULL', filter.reader_id)}) r
         ) summed
      ) ON true
     ORDER BY ${list.order}`;
}

/** Returns every row of the page's values, or every row of one reader, with the reader and the location of its antenna. */
function placesOf(orgId: number, sameType: string, readerId: number | undefined): Prisma.Sql {
  const ofReader = readerId === undefined ? Prisma.empty : Prisma.sql`AND p.reader_id = ${readerId}::int`;
  return Prisma.sql`
    SELECT p.count::float8 AS count, ${epochMs('p.first_seen')} AS first_seen, ${epochMs('p.last_seen')} AS last_seen,
           ${namedRow('d')} AS reader, p.antenna, ${namedRow('l')} AS location
      FROM unknown_tags p
      LEFT JOIN readers d ON d.org_id = p.org_id AND d.id = p.reader_id AND d.deleted_at IS NULL
      LEFT JOIN reader_antennas a ON a.reader_id = d.id AND a.port = p.antenna
      LEFT JOIN locations l
        ON l.org_id = p.org_id AND l.id = coalesce(a.location_id, d.location_id) AND l.deleted_at IS NULL
     WHERE p.org_id = ${orgId}::int AND ${Prisma.raw(sameType)} AND p.value = u.value ${ofReader}`;
}

/** Selects live tags that match an unknown row `u`; without a type, of any type. */
function belonging(org: Prisma.Sql): Prisma.Sql {
  // `+ 0` keeps the planner from using the index of exact values, in which organization and type alone would select all
  // tags.
  return Prisma.sql`
    SELECT 1
      FROM (VALUES ('rfid'), ('ble'), ('barcode')) AS k (tag_type)
     CROSS JOIN LATERAL (
       SELECT 1
         FROM tags t
        WHERE t.org_id + 0 = ${org}
          AND t.tag_type = k.tag_type
          AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, u.value)
          AND t.deleted_at IS NULL
       OFFSET 0) same
     WHERE u.tag_type IS NULL OR u.tag_type = k.tag_type`;
}

/** Deletes all rows of values; without a type, the rows of every type. Returns how many rows there were. */
async function removeUnknownValues(
  db: Pick<Database, '$executeRaw'>,
  orgId: number,
  values: readonly { tag_type: TagType | null; value: string }[],
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM unknown_tags
     WHERE id IN (
       SELECT u.id
         FROM unnest(
                ${values.map(({ tag_type }) => tag_type)}::text[],
                ${values.map(({ value }) => value)}::text[]
              ) AS g (tag_type, value)
         JOIN unknown_tags u
           ON u.org_id = ${orgId}::int
          AND u.value = g.value
          AND (u.tag_type = g.tag_type OR u.tag_type IS NULL AND g.tag_type IS NULL)
        ORDER BY u.tag_type, u.value, u.reader_id, u.antenna
          FOR UPDATE OF u)`;
}

/**
 * Deletes unknown values that are attached to something by now, because they were being counted while their tag was
 * attached. Skips locked rows until the next run.
 */
export async function removeKnownValues(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM unknown_tags
     WHERE id IN (
       SELECT u.id
         FROM unknown_tags u
        WHERE EXISTS (${belonging(Prisma.sql`u.org_id`)} OFFSET 0)
          FOR UPDATE SKIP LOCKED)`;
}
