import { z } from 'zod';
import type { Database } from '../../kernel/database/client.js';
import { type ContainerName, containersOf } from '../../kernel/database/containers.js';
import type { TagType } from '../../things/tags/schemas.js';
import { namedRow } from '../../things/locations/tree.js';
import { sessionProcedure } from '../../trpc.js';
import { valuesField } from './schemas.js';
import { namedByValues } from './named-queries.js';

const valuesMax = 500;

const input = z.strictObject({ values: valuesField(valuesMax) });

/**
 * An asset or location that a value names by a tag, key or label, and where it is: the present location of an asset, or
 * the parent of a location.
 */
export type ResolvedMatch = {
  kind: 'asset' | 'location';
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  /** Null if the value is a key or a label. */
  tag_type: TagType | null;
  /** Null for an asset that was never seen or has no location, and for a root location. */
  where: { id: number; name: string; external_key: string } | null;
  /** The containers that an asset is in, from the inside out; none for a location. */
  containers: ContainerName[];
  /** Whether people put other assets into assets of its kind. */
  holds_assets: boolean;
  /** The name of the location that an asset belongs to; null for none, and for a location. */
  belongs_to: string | null;
};

/** A value with all its matches. The first one decides: a submission places it if it is an asset. */
export type ResolvedValue = { value: string; matches: ResolvedMatch[] };

/**
 * Returns what scanned values name, by the rules of a submission, and changes nothing. It is a mutation because the
 * values may not fit into a URL.
 */
export const resolveScans = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { values } }): Promise<ResolvedValue[]> => {
    const answer: ResolvedValue[] = values.map((value) => ({ value, matches: [] }));
    const { db, settings } = ctx.services;
    const rows = await resolveValues(db, ctx.orgId, { values, baseUrl: settings.baseUrl });
    for (const { ordinal, ...match } of rows) answer[ordinal - 1]?.matches.push(match);
    return answer;
  });

/** One match of the value with an ordinal, from 1. */
type MatchRow = ResolvedMatch & { ordinal: number };

/**
 * Returns the assets and locations that values name, in the order of the values. The matches of one value are in the order
 * in which a submission chooses (`namedByValues`). An asset or location that a value names twice is returned once.
 */
async function resolveValues(
  db: Database,
  orgId: number,
  { values, baseUrl }: { values: readonly string[]; baseUrl: string },
): Promise<MatchRow[]> {
  if (values.length === 0) return [];
  const scanned = values.map((value) => ({ value }));
  return db.$queryRaw<MatchRow[]>`
    SELECT f.ordinal,
           CASE WHEN f.asset_id IS NULL THEN 'location' ELSE 'asset' END AS kind,
           coalesce(a.id, l.id) AS id,
           coalesce(a.name, l.name) AS name,
           coalesce(a.external_key, l.external_key) AS external_key,
           coalesce(a.is_active, l.is_active) AS is_active,
           f.tag_type,
           ${namedRow('w', 'external_key')} AS "where",
           o.name AS belongs_to, ${containersOf(orgId, 'a')} AS containers, coalesce(h.holds_assets, false) AS holds_assets
      FROM (
        SELECT DISTINCT ON (n.ordinal, n.asset_id, n.location_id) n.*
          FROM (${namedByValues(orgId, scanned, baseUrl)}) n
         ORDER BY n.ordinal, n.asset_id, n.location_id, n.rank_1, n.rank_2, n.rank_3, n.rank_4, n.id
      ) f
      LEFT JOIN assets a ON a.org_id = ${orgId}::int AND a.id = f.asset_id
      LEFT JOIN asset_kinds h ON h.org_id = ${orgId}::int AND h.id = a.kind_id
      LEFT JOIN asset_positions p ON p.org_id = ${orgId}::int AND p.asset_id = f.asset_id
      LEFT JOIN locations l ON l.org_id = ${orgId}::int AND l.id = f.location_id
      LEFT JOIN locations w
        ON w.org_id = ${orgId}::int AND w.id = coalesce(p.location_id, l.parent_id) AND w.deleted_at IS NULL
      LEFT JOIN locations o ON o.org_id = ${orgId}::int AND o.id = a.belongs_to_id AND o.deleted_at IS NULL
     ORDER BY f.ordinal, f.rank_1, f.rank_2, f.rank_3, f.rank_4, f.id`;
}
