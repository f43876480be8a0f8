import { z } from 'zod';
import { type ListOf, pageOf, pagingFields } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { booleanParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { type ContentRow, countContents, listContentRows } from './content-queries.js';
import { locationNotFound } from './procedure.js';
import { locationId } from './schemas.js';

/** A live asset at a location, or below it. */
export type LocationContent = {
  id: number;
  external_key: string;
  name: string;
  is_active: boolean;
  location: { id: number; name: string; external_key: string };
  located_since: string;
  asset_last_seen: string;
};

/**
 * A page of contents, with the counts of assets at the location and there or below it, regardless of the search text.
 */
export type LocationContents = ListOf<LocationContent> & { assets_here: number; assets_below: number };

const input = z.strictObject({
  ...locationId,
  including_below: booleanParameter().default(false),
  q: filterFields.q,
  ...pagingFields,
});

/** Lists the live assets at a location now, by name; optionally with those anywhere below it. */
export const listContents = sessionProcedure('viewer')
  .input(input)
  .query(
    async ({
      ctx,
      input: { location_id, including_below: includingBelow, q, ...paging },
    }): Promise<LocationContents> => {
      const { db } = ctx.services;
      const counts = await countContents(db, ctx.orgId, location_id);
      if (!counts) throw locationNotFound();
      const known = includingBelow ? counts.below : counts.here;
      const request = { locationId: location_id, includingBelow, q, paging, known };
      const page = pageOf(await listContentRows(db, ctx.orgId, request), paging, content);
      return { ...page, assets_here: counts.here, assets_below: counts.below };
    },
  );

function content(row: ContentRow): LocationContent {
  return {
    id: row.id,
    external_key: row.external_key,
    name: row.name,
    is_active: row.is_active,
    location: { id: row.location_id, name: row.location_name, external_key: row.location_external_key },
    located_since: formatTimestamp(row.located_since),
    asset_last_seen: formatTimestamp(row.asset_last_seen),
  };
}
