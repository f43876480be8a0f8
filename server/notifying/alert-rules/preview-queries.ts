import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { sightingOf } from '../../kernel/database/placements.js';
import { type EventType, isLimit } from '../events/event-types.js';
import { ownLocations } from './away-conditions.js';
import type { RuleInput } from './schemas.js';

/** A past event that a rule may have reported; `at` in epoch milliseconds. */
export type PastEvent = {
  at: number;
  asset_id: number | null;
  reader_id: number | null;
  location_id: number | null;
  from_id: number | null;
  to_id: number | null;
  /** For a condition: when it began. */
  since: number | null;
  /** For an unknown tag. */
  tag_type: string | null;
  /** The value of an unknown tag, or the text of a problem. */
  value: string | null;
  /** For a limit: the first value that violated it. */
  measured: number | null;
};

/** The period of a preview, and the number of events at which it stops. */
export const previewDays = 7;
export const pastEventsMax = 5000;
/** Tags whose hours are examined; each has up to 24 a day. */
const tagsMax = 5000;

type Query = { orgId: number; rule: RuleInput };

const since = Prisma.sql`now() - make_interval(days => ${previewDays}::int)`;
const columns = ['asset_id', 'reader_id', 'location_id', 'from_id', 'to_id'] as const;

const noTag = Prisma.sql`NULL::text AS tag_type, NULL::text AS value, NULL::float8 AS measured`;

/** Returns the columns of a `PastEvent`; missing columns are null. */
function row(given: { at: Prisma.Sql; since?: Prisma.Sql } & Partial<Record<(typeof columns)[number], Prisma.Sql>>) {
  const ids = columns.map((name) => Prisma.sql`${given[name] ?? Prisma.sql`NULL`}::int AS ${Prisma.raw(name)}`);
  const began = given.since ?? Prisma.sql`NULL::timestamptz`;
  return Prisma.sql`${given.at} AS at, ${Prisma.join(ids, ', ')}, ${began} AS since, ${noTag}`;
}

/** Returns the chosen locations of a rule, with their sublocations if these count; null for all. */
function chosenLocations({ orgId, rule: { locations } }: Query): Prisma.Sql | null {
  if (locations.kind === 'all') return null;
  const chosen = Prisma.sql`
    SELECT l.id FROM locations l WHERE l.org_id = ${orgId}::int AND l.id = ANY(${locations.ids ?? []}::int[])`;
  if (!locations.include_sublocations) return chosen;
  return Prisma.sql`
    WITH RECURSIVE below AS (
      ${chosen}
      UNION
      SELECT c.id FROM below b JOIN locations c ON c.org_id = ${orgId}::int AND c.parent_id = b.id AND c.deleted_at IS NULL
    )
    SELECT id FROM below`;
}

/** Returns visits that ended in the last days; visits to chosen locations are found by the index of departures. */
function endedVisits(query: Query): Prisma.Sql {
  const locations = chosenLocations(query);
  return locations === null
    ? Prisma.sql`
      SELECT v.* FROM asset_visits v WHERE v.org_id = ${query.orgId}::int AND v.left_at >= ${since}
       ORDER BY v.left_at DESC LIMIT ${pastEventsMax + 1}::int`
    : Prisma.sql`
      SELECT v.*
        FROM (${locations}) s
       CROSS JOIN LATERAL (
         SELECT * FROM asset_visits x
          WHERE x.org_id = ${query.orgId}::int AND x.location_id = s.id AND x.left_at >= ${since}
          ORDER BY x.left_at DESC LIMIT ${pastEventsMax + 1}::int) v
       ORDER BY v.left_at DESC LIMIT ${pastEventsMax + 1}::int`;
}

/** Returns positions whose asset arrived, or was last seen, in the last days. */
function positions(query: Query): Prisma.Sql {
  const locations = chosenLocations(query);
  return Prisma.sql`
    SELECT p.* FROM asset_positions p
     WHERE p.org_id = ${query.orgId}::int
       ${locations === null ? Prisma.empty : Prisma.sql`AND p.location_id = ANY(ARRAY(${locations}))`}`;
}

function moves(query: Query): Prisma.Sql {
  const { orgId } = query;
  return Prisma.sql`
    WITH ended AS MATERIALIZED (${endedVisits(query)})
    SELECT ${row({ at: Prisma.sql`e.left_at`, asset_id: Prisma.sql`e.asset_id`, from_id: Prisma.sql`e.location_id`, to_id: Prisma.sql`n.location_id` })}
      FROM ended e
      LEFT JOIN LATERAL (
        SELECT v.location_id FROM visits v
         WHERE v.org_id = ${orgId}::int AND v.asset_id = e.asset_id AND v.arrived_at >= e.left_at
         ORDER BY v.arrived_at LIMIT 1) n ON true
    UNION
    SELECT ${row({ at: Prisma.sql`a.arrived_at`, asset_id: Prisma.sql`a.asset_id`, from_id: Prisma.sql`b.location_id`, to_id: Prisma.sql`a.location_id` })}
      FROM (SELECT e.asset_id, e.arrived_at, e.location_id FROM ended e WHERE e.arrived_at >= ${since}
            UNION ALL
            (SELECT p.asset_id, p.located_since, p.location_id FROM (${positions(query)}) p
              WHERE p.located_since >= ${since}
              ORDER BY p.located_since DESC LIMIT ${pastEventsMax + 1}::int)) a
      LEFT JOIN LATERAL (
        SELECT v.location_id FROM asset_visits v
         WHERE v.org_id = ${orgId}::int AND v.asset_id = a.asset_id AND v.arrived_at < a.arrived_at
         ORDER BY v.arrived_at DESC LIMIT 1) b ON true`;
}

function limitOf({ rule }: Query): Prisma.Sql {
  return Prisma.sql`make_interval(secs => ${rule.limit_seconds ?? 0}::int)`;
}

/** Selects when assets had stayed at a location, or had not been seen, for the time of a rule. */
function waits(query: Query): Prisma.Sql {
  const limit = limitOf(query);
  const isOverdue = query.rule.event_type === 'asset.overdue';
  const ended = Prisma.raw(isOverdue ? 'w.last_seen_at' : 'w.arrived_at');
  const present = Prisma.raw(isOverdue ? 'w.seen_at' : 'w.located_since');
  const located = isOverdue ? Prisma.empty : Prisma.sql`AND w.location_id IS NOT NULL`;
  const waited = (began: Prisma.Sql) =>
    row({
      at: Prisma.sql`${began} + ${limit}`,
      asset_id: Prisma.sql`w.asset_id`,
      location_id: Prisma.sql`w.location_id`,
      since: began,
    });
  return Prisma.sql`
    SELECT ${waited(ended)}
      FROM (${endedVisits(query)}) w
     WHERE w.left_at - ${ended} >= ${limit} AND ${ended} + ${limit} >= ${since} ${located}
    UNION ALL
    SELECT ${waited(present)}
      FROM (SELECT p.*, ${sightingOf(query.orgId, 'p')} AS seen_at FROM (${positions(query)}) p) w
     WHERE ${present} BETWEEN ${since} - ${limit} AND now() - ${limit} ${located}`;
}

/** Selects when readers were silent. The minutes in which a reader sent something are kept for two days. */
function silences({ orgId, ...query }: Query): Prisma.Sql {
  const limit = limitOf({ orgId, ...query });
  return Prisma.sql`
    SELECT ${row({ at: Prisma.sql`g.minute + ${limit}`, reader_id: Prisma.sql`g.reader_id`, since: Prisma.sql`g.minute` })}
      FROM (SELECT m.reader_id, m.minute,
                   coalesce(lead(m.minute) OVER (PARTITION BY m.reader_id ORDER BY m.minute), now()) AS next
              FROM reader_minutes m
             WHERE m.org_id = ${orgId}::int) g
      JOIN readers r ON r.org_id = ${orgId}::int AND r.id = g.reader_id AND r.deleted_at IS NULL
     WHERE g.next - g.minute >= ${limit} + interval '1 minute'`;
}

function unknownTags({ orgId }: Query): Prisma.Sql {
  return Prisma.sql`
    SELECT min(u.first_seen) AS at, NULL::int AS asset_id, min(u.reader_id) AS reader_id, NULL::int AS location_id,
           NULL::int AS from_id, NULL::int AS to_id, NULL::timestamptz AS since, u.tag_type, u.value,
           NULL::float8 AS measured
      FROM unknown_tags u
     WHERE u.org_id = ${orgId}::int AND u.last_seen >= ${since}
     GROUP BY u.tag_type, u.value
    HAVING min(u.first_seen) >= ${since}`;
}

/** Selects when problems were reported. Of the resolved ones, those of the last day are kept. */
function problems({ orgId }: Query): Prisma.Sql {
  return Prisma.sql`
    SELECT q.reported_at AS at, q.asset_id, NULL::int AS reader_id, p.location_id, NULL::int AS from_id,
           NULL::int AS to_id, NULL::timestamptz AS since, NULL::text AS tag_type, q.text AS value,
           NULL::float8 AS measured
      FROM asset_problems q
      LEFT JOIN asset_positions p ON p.org_id = ${orgId}::int AND p.asset_id = q.asset_id
     WHERE q.org_id = ${orgId}::int AND q.reported_at >= ${since}`;
}

/**
 * Selects when measured values began to violate the limit of a rule. One value an hour is kept, so a violation counts
 * from its first hour, and only if it still held in an hour after the time of the rule.
 */
function violations(query: Query): Prisma.Sql {
  const { orgId, rule } = query;
  const limit = limitOf(query);
  const value = Prisma.raw(rule.event_type === 'asset.battery_low' ? 'h.battery' : 'h.temperature');
  const compares = Prisma.raw(rule.event_type === 'asset.temperature_high' ? '>' : '<');
  const begin = Prisma.sql`${since} - ${limit}`;
  const inTag = Prisma.sql`h.tag_id = m.tag_id AND ${value} IS NOT NULL`;
  return Prisma.sql`
    SELECT r.began + ${limit} AS at, t.asset_id, NULL::int AS reader_id, p.location_id, NULL::int AS from_id,
           NULL::int AS to_id, r.began AS since, t.tag_type, t.value, r.measured
      FROM (SELECT m.tag_id FROM tag_telemetry m
             WHERE m.org_id = ${orgId}::int
             ORDER BY m.tag_id
             LIMIT ${tagsMax}::int) m
     CROSS JOIN LATERAL (
       SELECT min(f.hour) AS began, (array_agg(f.value ORDER BY f.hour))[1] AS measured
         FROM (SELECT h.hour, ${value}::float8 AS value, ${value} ${compares} ${rule.threshold}::float8 AS holds,
                      count(*) FILTER (WHERE NOT ${value} ${compares} ${rule.threshold}::float8) OVER (ORDER BY h.hour) AS run
                 FROM tag_telemetry_hours h
                WHERE ${inTag} AND h.hour >= ${begin}) f
        WHERE f.holds
        GROUP BY f.run
       HAVING max(f.hour) - min(f.hour) >= ${limit}
          -- Otherwise it may have begun before.
          AND (f.run > 0 OR NOT EXISTS (SELECT FROM tag_telemetry_hours h WHERE ${inTag} AND h.hour < ${begin}))) r
      JOIN tags t ON t.org_id = ${orgId}::int AND t.id = m.tag_id AND t.asset_id IS NOT NULL AND t.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = ${orgId}::int AND p.asset_id = t.asset_id`;
}

/**
 * Selects when assets had been away, for the time of a rule, from the location that they belong to now; `from_id` is that location.
 */
function absences(query: Query): Prisma.Sql {
  const { orgId } = query;
  const limit = limitOf(query);
  const isHome = (visit: string) => Prisma.sql`
    EXISTS (SELECT FROM below b WHERE b.own_id = a.belongs_to_id AND b.id = ${Prisma.raw(visit)}.location_id)`;
  const after = Prisma.sql`x.org_id = ${orgId}::int AND x.asset_id = v.asset_id AND x.arrived_at >= v.left_at`;
  return Prisma.sql`
    WITH RECURSIVE ${ownLocations(orgId)}
    SELECT ${row({ at: Prisma.sql`v.left_at + ${limit}`, asset_id: Prisma.sql`v.asset_id`, location_id: Prisma.sql`n.location_id`, from_id: Prisma.sql`a.belongs_to_id`, since: Prisma.sql`v.left_at` })}
      FROM asset_visits v
      JOIN assets a ON a.org_id = ${orgId}::int AND a.id = v.asset_id AND a.belongs_to_id IS NOT NULL AND a.deleted_at IS NULL
     CROSS JOIN LATERAL (
       SELECT x.location_id FROM visits x
        WHERE ${after} AND x.arrived_at <= v.left_at + ${limit}
        ORDER BY x.arrived_at DESC LIMIT 1) n
     WHERE v.org_id = ${orgId}::int AND v.left_at >= ${since} - ${limit} AND n.location_id IS NOT NULL
       AND ${isHome('v')}
       AND NOT EXISTS (SELECT FROM visits x WHERE ${after} AND x.arrived_at < v.left_at + ${limit} AND ${isHome('x')})`;
}

/** Selects where assets have left their containers, which are in `from_id`. */
function leavings({ orgId }: Query): Prisma.Sql {
  const column = Prisma.raw;
  return Prisma.sql`
    SELECT ${row({ at: column('k.until'), asset_id: column('k.asset_id'), location_id: column('v.location_id'), from_id: column('k.container_id') })}
      FROM asset_containments k
      LEFT JOIN LATERAL (
        SELECT o.location_id FROM visits o
         WHERE o.org_id = k.org_id AND o.asset_id = k.asset_id AND o.arrived_at <= k.until
         ORDER BY o.arrived_at DESC
         LIMIT 1) v ON true
     WHERE k.org_id = ${orgId}::int AND k.ended_by = 'reads' AND k.until >= ${since}`;
}

function changes(query: Query, type: EventType): Prisma.Sql {
  const isAsset = type.startsWith('asset.');
  const column = { created: 'created_at', updated: 'updated_at', deleted: 'deleted_at' }[type.split('.')[1] ?? ''];
  const at = Prisma.raw(`t.${column ?? 'created_at'}`);
  const ids = isAsset ? { asset_id: Prisma.sql`t.id` } : { location_id: Prisma.sql`t.id` };
  return Prisma.sql`
    SELECT ${row({ at, ...ids })}
      FROM ${Prisma.raw(isAsset ? 'assets' : 'locations')} t
     WHERE t.org_id = ${query.orgId}::int AND ${at} >= ${since}
       ${column === 'updated_at' ? Prisma.sql`AND t.updated_at > t.created_at` : Prisma.empty}`;
}

function statementOf(query: Query): Prisma.Sql | undefined {
  const type = query.rule.event_type;
  if (isLimit(type)) return violations(query);
  switch (type) {
    case 'asset.location_changed':
      return moves(query);
    case 'asset.dwell_exceeded':
    case 'asset.overdue':
      return waits(query);
    case 'asset.away':
      return absences(query);
    case 'reader.offline':
      return silences(query);
    case 'reader.online':
    case 'asset.button_pressed':
      return undefined;
    case 'asset.left_container':
      return leavings(query);
    case 'asset.problem_reported':
      return problems(query);
    case 'tag.unknown':
      return unknownTags(query);
    default:
      return changes(query, type);
  }
}

/**
 * Returns the events of the last seven days of a rule's type, newest first, at most `pastEventsMax` plus one. Undefined
 * if no history is kept.
 */
export async function findPastEvents(db: Queries, orgId: number, rule: RuleInput): Promise<PastEvent[] | undefined> {
  const statement = statementOf({ orgId, rule });
  if (!statement) return undefined;
  return db.$queryRaw<PastEvent[]>`
    SELECT ${epochMs('h.at')} AS at, h.asset_id, h.reader_id, h.location_id, h.from_id, h.to_id,
           ${epochMs('h.since')} AS since, h.tag_type, h.value, h.measured
      FROM (${statement}) h
     WHERE h.at >= ${since} AND h.at <= now()
     ORDER BY h.at DESC
     LIMIT ${pastEventsMax + 1}::int`;
}
