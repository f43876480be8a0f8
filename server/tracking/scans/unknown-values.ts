import { z } from 'zod';
import { type ListOf, pagingFields, pageOf } from '../../kernel/lists.js';
import type { TagType } from '../../things/tags/schemas.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { listField } from '../../kernel/validation/list-field.js';
import { idParameter, textParameter } from '../../kernel/validation/parameters.js';
import { tagTypeField, valueField } from './schemas.js';
import {
  listUnknownValueRows,
  removeUnknownValues,
  unknownCountMax,
  type UnknownPlaceRow,
  type UnknownValueRow,
} from './unknown-queries.js';

const dismissedMax = 500;

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

function unknownValue(row: UnknownValueRow): UnknownValue {
  return {
    value: row.value,
    tag_type: row.tag_type,
    count: row.count,
    first_seen: formatTimestamp(row.first_seen),
    last_seen: formatTimestamp(row.last_seen),
    place_count: row.place_count,
    places: row.places.map(placeOf),
  };
}

function placeOf(row: UnknownPlaceRow): UnknownPlace {
  return {
    reader: row.reader_id === null ? null : { id: row.reader_id, name: row.reader_name ?? '' },
    antenna: row.antenna,
    location: row.location_id === null ? null : { id: row.location_id, name: row.location_name ?? '' },
    count: row.count,
    last_seen: formatTimestamp(row.last_seen),
  };
}
