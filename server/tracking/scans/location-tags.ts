import { z } from 'zod';
import type { Database } from '../../kernel/database/client.js';
import { textField } from '../../kernel/validation/fields.js';
import type { TagType } from '../../things/tags/schemas.js';
import { sessionProcedure } from '../../trpc.js';

/** The most entries of the answer. Locations with tags come first. */
const locationTagsMax = 20_000;

const input = z
  .strictObject({
    /** The version that the device has. */
    version: textField({ min: 1, max: 32 }, 'create-string').exactOptional(),
  })
  .prefault({});

/** A location by one of its tags; without tags, a location has one entry in which both are null. */
export type LocationTag = {
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  tag_type: TagType | null;
  value: string | null;
};

/** `tags` is null if the device has this version. */
type LocationTags = { version: string; tags: LocationTag[] | null };

/** Returns the tags of all locations, for a device that has to know them without a network. */
export const listLocationTags = sessionProcedure('operator')
  .input(input)
  .query(async ({ ctx, input: { version = null } }) => findLocationTags(ctx.services.db, ctx.orgId, version));

async function findLocationTags(db: Database, orgId: number, known: string | null): Promise<LocationTags> {
  const [row] = await db.$queryRaw<[LocationTags]>`
    WITH entries AS MATERIALIZED (
      SELECT l.id, l.name, l.external_key, l.is_active, t.tag_type, t.value, t.id AS tag_id
        FROM locations l
        LEFT JOIN tags t ON t.org_id = ${orgId}::int AND t.location_id = l.id AND t.deleted_at IS NULL
       WHERE l.org_id = ${orgId}::int AND l.deleted_at IS NULL
       ORDER BY t.id NULLS LAST, l.id
       LIMIT ${locationTagsMax}::int
    ), present AS (
      SELECT md5(coalesce(string_agg(e::text, ' ' ORDER BY e.tag_id, e.id), '')) AS version FROM entries e
    )
    SELECT p.version,
           CASE WHEN p.version IS DISTINCT FROM ${known}::text THEN coalesce(
             (SELECT json_agg(json_build_object('id', e.id, 'name', e.name, 'external_key', e.external_key,
                                                'is_active', e.is_active, 'tag_type', e.tag_type, 'value', e.value)
                              ORDER BY e.tag_id, e.id)
                FROM entries e),
             '[]') END AS tags
      FROM present p`;
  return row;
}
