import { Prisma } from '../../../generated/prisma/client.js';
import { gs1Epcs, gs1Spellings } from '../../things/tags/gs1.js';
import type { TagType } from '../../things/tags/schemas.js';
import { labelTarget } from './label-address.js';

/** A scanned text. Without a type, a tag of any type can have it. */
export type ScannedValue = { value: string; tag_type?: TagType };

type Candidate = { ordinal: number; rank: number; type: TagType | null; value: string };

/**
 * Selects what scanned values name: `ordinal` of the value from 1, `asset_id` or `location_id`, `tag_type` and `id` of
 * the tag (null without a tag), and `rank_1` to `rank_4`, by which the first match of a value decides. A value names,
 * in this order: the tag with this value as stored, or with the same normal form; the asset or location of a label's
 * address; the tag with the same code of GS1 in another spelling or as its EPC; the asset or location with this key, also
 * in capitals or in small letters, as a keyboard with Caps Lock on types it.
 */
export function namedByValues(
  orgId: number,
  values: readonly (ScannedValue | undefined)[],
  baseUrl: string,
): Prisma.Sql {
  const candidates = values.flatMap((scanned, index) => (scanned ? candidatesOf(scanned, index + 1) : []));
  const targets = values.flatMap((scanned, index) => {
    const target = scanned && labelTarget(scanned.value, baseUrl);
    return target ? [{ ...target, ordinal: index + 1 }] : [];
  });
  const keyed = candidates
    .filter(({ rank, type }) => rank === 0 && type === null)
    .flatMap(({ ordinal, value }) =>
      [...new Set([value, value.toUpperCase(), value.toLowerCase()])].map((key, rank) => ({ ordinal, rank, key })),
    );
  const column = <Row, Value>(rows: readonly Row[], of: (row: Row) => Value) => rows.map(of);
  // `+ 0` keeps the planner from using the index of exact values, in which organization and type alone would select all
  // tags.
  return Prisma.sql`
    SELECT c.ordinal, m.asset_id, m.location_id, m.tag_type, m.id,
           CASE WHEN c.rank = 0 THEN 0 ELSE 2 END AS rank_1,
           CASE WHEN c.rank > 0 THEN c.rank WHEN m.value <> c.value COLLATE "C" THEN 1 ELSE 0 END AS rank_2,
           (m.asset_id IS NULL)::int AS rank_3,
           k.rank AS rank_4
      FROM unnest(
             ${column(candidates, ({ ordinal }) => ordinal)}::int[],
             ${column(candidates, ({ rank }) => rank)}::int[],
             ${column(candidates, ({ type }) => type)}::text[],
             ${column(candidates, ({ value }) => value)}::text[]
           ) AS c (ordinal, rank, type, value)
      JOIN (VALUES ('rfid', 1), ('ble', 2), ('barcode', 3)) AS k (tag_type, rank) ON c.type IS NULL OR c.type = k.tag_type
     CROSS JOIN LATERAL (
        SELECT t.id, t.asset_id, t.location_id, t.tag_type, t.value
          FROM tags t
         WHERE t.org_id + 0 = ${orgId}::int
           AND t.tag_type = k.tag_type
           AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, c.value)
           AND t.deleted_at IS NULL
        OFFSET 0
      ) m
    UNION ALL
    SELECT l.ordinal, a.id, NULL, NULL, a.id, 1, 0, 0, 0
      FROM unnest(
             ${targets.flatMap(({ kind, ordinal }) => (kind === 'asset' ? [ordinal] : []))}::int[],
             ${targets.flatMap(({ kind, id }) => (kind === 'asset' ? [id] : []))}::int[]
           ) AS l (ordinal, id)
      JOIN assets a ON a.org_id = ${orgId}::int AND a.id = l.id AND a.deleted_at IS NULL
    UNION ALL
    SELECT l.ordinal, NULL, o.id, NULL, o.id, 1, 0, 1, 0
      FROM unnest(
             ${targets.flatMap(({ kind, ordinal }) => (kind === 'location' ? [ordinal] : []))}::int[],
             ${targets.flatMap(({ kind, id }) => (kind === 'location' ? [id] : []))}::int[]
           ) AS l (ordinal, id)
      JOIN locations o ON o.org_id = ${orgId}::int AND o.id = l.id AND o.deleted_at IS NULL
    UNION ALL
    SELECT c.ordinal, a.id, NULL, NULL, a.id, 3, c.rank, 0, 0
      FROM unnest(
             ${column(keyed, ({ ordinal }) => ordinal)}::int[],
             ${column(keyed, ({ rank }) => rank)}::int[],
             ${column(keyed, ({ key }) => key)}::text[]
           ) AS c (ordinal, rank, key)
      JOIN assets a ON a.org_id = ${orgId}::int AND a.external_key = c.key AND a.deleted_at IS NULL
    UNION ALL
    SELECT c.ordinal, NULL, o.id, NULL, o.id, 3, c.rank, 1, 0
      FROM unnest(
             ${column(keyed, ({ ordinal }) => ordinal)}::int[],
             ${column(keyed, ({ rank }) => rank)}::int[],
             ${column(keyed, ({ key }) => key)}::text[]
           ) AS c (ordinal, rank, key)
      JOIN locations o ON o.org_id = ${orgId}::int AND o.external_key = c.key AND o.deleted_at IS NULL`;
}

function candidatesOf(
  { value, tag_type: type = null }: { value: string; tag_type?: TagType | null },
  ordinal: number,
): Candidate[] {
  const spelled = [value, ...gs1Spellings(value)].map((spelling, rank) => ({ ordinal, rank, type, value: spelling }));
  const epcs = type === null || type === 'rfid' ? gs1Epcs(value).filter(({ first, last }) => first === last) : [];
  const rank = spelled.length;
  return [...spelled, ...epcs.map(({ first }) => ({ ordinal, rank, type: 'rfid' as const, value: first }))];
}
