import { z } from 'zod';
import { sessionProcedure } from '../../trpc.js';
import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import type { Tag } from '../tags/schemas.js';
import { requireLocation } from './procedure.js';
import { locationId } from './schemas.js';
import { oneLocation, upFrom } from './tree.js';

/** More than a person scans at once, and less than a request can return. */
const assetsMax = 5000;
const tagBytesMax = 4 * 1024 * 1024;

type Expected = { assets: ExpectedAsset[]; is_complete: boolean };

/**
 * Returns the assets that an audit of a location expects: its active assets with their tags, so that the app recognizes
 * scans without a request for each. `is_complete` is false if there are more assets, or if their tags take more than 4
 * MiB.
 */
export const expectedAssets = sessionProcedure('viewer')
  .input(z.strictObject(locationId))
  .query(async ({ ctx, input: { location_id } }): Promise<Expected> => {
    const { db } = ctx.services;
    await requireLocation(db, ctx.orgId, location_id);
    return listExpected(db, ctx.orgId, location_id);
  });

/** An asset that is expected at a location, with the values of its tags. */
type ExpectedAsset = {
  id: number;
  external_key: string;
  name: string;
  tags: Pick<Tag, 'tag_type' | 'value'>[];
  /** The name of the location that it belongs to, if it is away from there. */
  belongs_to: string | null;
};

/** Returns the active live assets at a location by name, up to the limits, and whether these are all. */
async function listExpected(db: Database, orgId: number, locationId: number): Promise<Expected> {
  const listed = await db.$queryRaw<(Omit<ExpectedAsset, 'tags'> & { tags: ExpectedAsset['tags'] | null })[]>`
    WITH RECURSIVE ${upFrom(orgId, oneLocation(orgId, locationId))}
    SELECT e.id, e.external_key, e.name, e.belongs_to,
           CASE WHEN sum(octet_length(e.tags::text)) OVER (ORDER BY ${inNaturalOrder('e.name')}, e.id) <= ${tagBytesMax}::int
                THEN e.tags
           END AS tags
      FROM (SELECT a.id, a.external_key, a.name,
                   (SELECT o.name FROM locations o
                     WHERE o.org_id = ${orgId} AND o.id = a.belongs_to_id AND o.deleted_at IS NULL
                       AND o.id NOT IN (SELECT up.id FROM up)) AS belongs_to,
                   (SELECT coalesce(json_agg(json_build_object('tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
                      FROM tags t
                     WHERE t.org_id = ${orgId} AND t.asset_id = a.id AND t.deleted_at IS NULL) AS tags
              FROM asset_positions p
              JOIN assets a ON a.org_id = ${orgId} AND a.id = p.asset_id AND a.deleted_at IS NULL AND a.is_active
             WHERE p.org_id = ${orgId} AND p.location_id = ${locationId}
             ORDER BY ${inNaturalOrder('a.name')}, a.id
             LIMIT ${assetsMax + 1}::int) e
     ORDER BY ${inNaturalOrder('e.name')}, e.id`;
  const assets: ExpectedAsset[] = [];
  for (const { id, external_key, name, belongs_to, tags } of listed) {
    if (tags === null || assets.length === assetsMax) return { assets, is_complete: false };
    assets.push({ id, external_key, name, belongs_to, tags });
  }
  return { assets, is_complete: true };
}
