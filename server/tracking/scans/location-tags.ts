import { z } from 'zod';
import type { Database } from '../../kernel/database/client.js';
import { textField } from '../../kernel/validation/fields.js';
import { integerParameter } from '../../kernel/validation/parameters.js';
import type { TagType } from '../../things/tags/schemas.js';
import { sessionProcedure } from '../../trpc.js';

/** The most entries of the list. Locations with tags come first, and containers last. */
const locationTagsMax = 20_000;

/** An answer ends at the entry that reaches this: names can be so long that all entries are more than an answer can have. */
const pageBytesMax = 4_194_304;

const input = z
  .strictObject({
    /** The version that the device has. */
    version: textField({ min: 1, max: 32 }, 'create-string').exactOptional(),
    /** Entries of the list that the device has from earlier answers. */
    from: integerParameter({ min: 0, max: locationTagsMax }).default(0),
  })
  .prefault({});

/**
 * A location or a container, which is an asset of a kind that holds assets, by one of its tags; without tags, it has one entry in
 * which both are null.
 */
export type LocationTag = {
  is_container: boolean;
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  tag_type: TagType | null;
  value: string | null;
};

/** `tags` is null if the device has this version; `next` is where the list goes on, null at its end. */
type LocationTags = { version: string; tags: LocationTag[] | null; next: number | null };

type Asked = { version: string | null; from: number };

/** Returns the tags of all locations and containers, for a device that has to know them without a network. */
export const listLocationTags = sessionProcedure('operator')
  .input(input)
  .query(async ({ ctx, input: { version = null, from } }) =>
    findLocationTags(ctx.services.db, ctx.orgId, { version, from }),
  );

async function findLocationTags(db: Database, orgId: number, { version, from }: Asked): Promise<LocationTags> {
  const [row] = await db.$queryRaw<[LocationTags]>`
    WITH named AS (
      SELECT false AS is_container, l.id, l.name, l.external_key, l.is_active, t.id AS tag_id, t.tag_type, t.value
        FROM locations l
        LEFT JOIN tags t ON t.org_id = ${orgId}::int AND t.location_id = l.id AND t.deleted_at IS NULL
       WHERE l.org_id = ${orgId}::int AND l.deleted_at IS NULL
      UNION ALL
      SELECT true, a.id, a.name, a.external_key, a.is_active, t.id, t.tag_type, t.value
        FROM asset_kinds h
        JOIN assets a ON a.org_id = h.org_id AND a.kind_id = h.id AND a.deleted_at IS NULL
        LEFT JOIN tags t ON t.org_id = ${orgId}::int AND t.asset_id = a.id AND t.deleted_at IS NULL
       WHERE h.org_id = ${orgId}::int AND h.holds_assets
    ), entries AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY n.is_container, n.tag_id NULLS LAST, n.id)::int AS place,
             json_build_object('is_container', n.is_container, 'id', n.id, 'name', n.name, 'external_key', n.external_key,
                               'is_active', n.is_active, 'tag_type', n.tag_type, 'value', n.value) AS entry
        FROM named n
       ORDER BY place
       LIMIT ${locationTagsMax}::int
    ), present AS (
      SELECT md5(coalesce(string_agg(e.entry::text, ' ' ORDER BY e.place), '')) AS version, count(*)::int AS size
        FROM entries e
    ), measured AS (
      SELECT e.place, e.entry, octet_length(e.entry::text) AS bytes,
             sum(octet_length(e.entry::text)) OVER (ORDER BY e.place) AS bytes_to
        FROM entries e
       WHERE e.place > ${from}::int
    ), page AS (
      SELECT json_agg(m.entry ORDER BY m.place) AS tags, max(m.place) AS last
        FROM measured m
       WHERE m.bytes_to - m.bytes < ${pageBytesMax}::int
    )
    SELECT p.version,
           CASE WHEN p.version IS DISTINCT FROM ${version}::text THEN coalesce(page.tags, '[]') END AS tags,
           CASE WHEN p.version IS DISTINCT FROM ${version}::text AND page.last < p.size THEN page.last END AS next
      FROM present p
     CROSS JOIN page`;
  return row;
}
