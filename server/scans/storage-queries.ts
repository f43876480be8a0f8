import { Prisma } from '../../generated/prisma/client.js';
import { numbers, texts } from '../database/array-literals.js';
import { noticesOf, positionsChannel } from '../live/notices.js';
import type { LocationId } from '../locating/types.js';
import type { ReadBatch } from './batch.js';
import type { Queryable } from './batch-queries.js';
import type { NewEvent } from './event-log.js';

/** An asset's position as it is to be stored; locations of 0 are none. */
export type PositionChange = {
  orgId: number;
  assetId: number;
  /** Where the locked row is, as PostgreSQL writes it; null for an asset that was never seen before. */
  rowId: string | null;
  location: LocationId;
  sinceMs: number;
  lastSeenMs: number;
  readerId: number | null;
  antenna: number | null;
  lastEventMs: number | null;
  lastEventLocation: LocationId;
  locating: string;
  /** Whether what lists search by changes: the location, since when, or the slot of ten seconds. */
  isRelisted: boolean;
  /** Whether live views are to be told: it was seen later than before, or is elsewhere. */
  isAnnounced: boolean;
};

export type AssetEvent = NewEvent & { orgId: number; assetId: number };

/** A visit that begins after everything known of its asset; the one before ends. */
export type VisitStart = {
  orgId: number;
  assetId: number;
  arrivedAtMs: number;
  /** Null while it lasts. */
  leftAtMs: number | null;
  location: LocationId;
};

/** The open visit of an asset ends. */
export type VisitEnd = { orgId: number; assetId: number; leftAtMs: number; lastSeenMs: number };

export type UnknownCount = {
  orgId: number;
  tagType: string | null;
  value: string;
  readerId: number | null;
  antenna: number | null;
  count: number;
  firstMs: number;
  lastMs: number;
};

/** What one transaction of ingestion, or a handheld's submission, writes. */
export type ScanChanges = {
  positions: PositionChange[];
  events: AssetEvent[];
  visitStarts: VisitStart[];
  visitEnds: VisitEnd[];
  unknown: UnknownCount[];
};

export type ReaderChanges = Pick<ReadBatch, 'heard' | 'rejected'> & {
  /** For each reader that sent something the new offset of its clock; null where that stays. */
  clockOffsets: readonly (number | null)[];
};

export type StoredRow = {
  stored_events: number;
  /** Positions, of those that were to be stored. */
  stored_positions: number;
  now_ms: number;
};

/** Seconds of a slot of `position_listings`. */
const slotSeconds = 10;

/** The slot that an instant is listed in. */
export function slotOf(atMs: number): number {
  return Math.floor(atMs / 1000 / slotSeconds);
}

/** A location as the database knows it: 0 is none. */
const nullable = (location: LocationId) => (location === 0 ? null : location);

const at = (column: string) => Prisma.raw(`to_timestamp(${column} / 1000)`);

/**
 * Stores changes in one statement. Positions that are updated were locked before, and are found by where their rows are.
 * Of an asset that was never seen before, the position is made if nobody else has just made it and the asset is live.
 *
 * @param isRepeatable whether an event that is stored already is passed over instead of failing the statement
 * @throws a unique violation where an event is stored that no position knows of, unless `isRepeatable`
 */
export async function storeChanges(
  tx: Queryable,
  { positions, events, visitStarts, visitEnds, unknown }: ScanChanges,
  { readers, isRepeatable }: { readers: ReaderChanges | undefined; isRepeatable: boolean },
): Promise<StoredRow> {
  // The same text whatever there is to store, so that it is planned once a connection.
  const known = positions.filter(({ rowId }) => rowId !== null);
  const parts: Prisma.Sql[] = [
    Prisma.sql`event AS (${appendEvents(events, isRepeatable)} RETURNING 1)`,
    Prisma.sql`position AS (${updatePositions(known)} RETURNING 1)`,
    Prisma.sql`listing AS (${updateListings(known.filter(({ isRelisted }) => isRelisted))})`,
    Prisma.sql`new_position AS (${insertPositions(positions.filter(({ rowId }) => rowId === null))} RETURNING 1)`,
    Prisma.sql`visit_end AS (${endVisits(visitEnds)})`,
    Prisma.sql`visit AS (${startVisits(visitStarts)})`,
    Prisma.sql`unknown_tag AS (${countUnknown(unknown)})`,
  ];
  if (readers) parts.push(Prisma.sql`heartbeat AS (${noteHeartbeats(readers)})`);
  if (readers && readers.rejected.readerIds.length > 0) {
    parts.push(Prisma.sql`rejection AS (${keepRejected(readers)})`);
  }
  const [row] = await tx.$queryRaw<[StoredRow]>`
    WITH ${Prisma.join(parts, ', ')}
    SELECT (SELECT count(*)::int FROM event) AS stored_events,
           (SELECT count(*)::int FROM position) + (SELECT count(*)::int FROM new_position) AS stored_positions,
           (SELECT count(pg_notify(${positionsChannel}, notice))
              FROM unnest(${texts(noticesOf(positions.filter(({ isAnnounced }) => isAnnounced)))}::text[]) AS notice) AS notices,
           (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`;
  return row;
}

function appendEvents(events: readonly AssetEvent[], isRepeatable: boolean): Prisma.Sql {
  const of = <Value>(value: (event: AssetEvent) => Value) => events.map(value);
  return Prisma.sql`
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
    SELECT e.org_id, e.asset_id, ${at('e.at')}, e.location_id, e.reader_id, e.antenna, e.rssi, ${at('e.received')}
      FROM unnest(
        ${numbers(of(({ orgId }) => orgId))}::int[], ${numbers(of(({ assetId }) => assetId))}::int[],
        ${numbers(of(({ atMs }) => atMs))}::float8[], ${numbers(of(({ location }) => nullable(location)))}::int[],
        ${numbers(of(({ source }) => source.readerId))}::int[], ${numbers(of(({ source }) => source.antenna))}::int[],
        ${numbers(of(({ source }) => source.rssiDbm))}::real[], ${numbers(of(({ source }) => source.receivedAtMs))}::float8[]
      ) AS e (org_id, asset_id, at, location_id, reader_id, antenna, rssi, received)
    ${isRepeatable ? Prisma.raw('ON CONFLICT (org_id, asset_id, event_observed_at) DO NOTHING') : Prisma.empty}`;
}

function updatePositions(positions: readonly PositionChange[]): Prisma.Sql {
  const of = <Value>(value: (position: PositionChange) => Value) => positions.map(value);
  return Prisma.sql`
    UPDATE asset_positions p
       SET location_id = c.location_id,
           located_since = ${at('c.since')},
           asset_last_seen = ${at('c.last_seen')},
           reader_id = c.reader_id,
           antenna = c.antenna,
           last_event_at = ${at('c.last_event')},
           last_event_location_id = c.last_event_location_id,
           locating = c.locating
      FROM unnest(
        ${texts(of(({ rowId }) => rowId ?? ''))}::tid[], ${numbers(of(({ location }) => nullable(location)))}::int[],
        ${numbers(of(({ sinceMs }) => sinceMs))}::float8[], ${numbers(of(({ lastSeenMs }) => lastSeenMs))}::float8[],
        ${numbers(of(({ readerId }) => readerId))}::int[], ${numbers(of(({ antenna }) => antenna))}::int[],
        ${numbers(of(({ lastEventMs }) => lastEventMs))}::float8[],
        ${numbers(of(({ lastEventLocation }) => nullable(lastEventLocation)))}::int[],
        ${texts(of(({ locating }) => locating))}::text[]
      ) AS c (row_id, location_id, since, last_seen, reader_id, antenna, last_event, last_event_location_id, locating)
     WHERE p.ctid = c.row_id`;
}

function updateListings(positions: readonly PositionChange[]): Prisma.Sql {
  const of = <Value>(value: (position: PositionChange) => Value) => positions.map(value);
  return Prisma.sql`
    UPDATE position_listings l
       SET location_id = c.location_id, located_since = ${at('c.since')}, seen_slot = c.slot
      FROM unnest(
        ${numbers(of(({ orgId }) => orgId))}::int[], ${numbers(of(({ assetId }) => assetId))}::int[],
        ${numbers(of(({ location }) => nullable(location)))}::int[], ${numbers(of(({ sinceMs }) => sinceMs))}::float8[],
        ${numbers(of(({ lastSeenMs }) => slotOf(lastSeenMs)))}::int[]
      ) AS c (org_id, asset_id, location_id, since, slot)
     WHERE l.asset_id = c.asset_id AND l.org_id + 0 = c.org_id`;
}

/** A trigger lists new positions. An asset that is being deleted is waited for, and then has none. */
function insertPositions(positions: readonly PositionChange[]): Prisma.Sql {
  const of = <Value>(value: (position: PositionChange) => Value) => positions.map(value);
  return Prisma.sql`
    INSERT INTO asset_positions (org_id, asset_id, location_id, located_since, asset_last_seen, reader_id, antenna,
                                 last_event_at, last_event_location_id, locating)
    SELECT c.org_id, c.asset_id, c.location_id, ${at('c.since')}, ${at('c.last_seen')}, c.reader_id, c.antenna,
           ${at('c.last_event')}, c.last_event_location_id, c.locating
      FROM unnest(
        ${numbers(of(({ orgId }) => orgId))}::int[], ${numbers(of(({ assetId }) => assetId))}::int[],
        ${numbers(of(({ location }) => nullable(location)))}::int[], ${numbers(of(({ sinceMs }) => sinceMs))}::float8[],
        ${numbers(of(({ lastSeenMs }) => lastSeenMs))}::float8[], ${numbers(of(({ readerId }) => readerId))}::int[],
        ${numbers(of(({ antenna }) => antenna))}::int[], ${numbers(of(({ lastEventMs }) => lastEventMs))}::float8[],
        ${numbers(of(({ lastEventLocation }) => nullable(lastEventLocation)))}::int[],
        ${texts(of(({ locating }) => locating))}::text[]
      ) AS c (org_id, asset_id, location_id, since, last_seen, reader_id, antenna, last_event, last_event_location_id, locating)
     CROSS JOIN LATERAL (
       SELECT FROM assets a
        WHERE a.id = c.asset_id AND a.org_id + 0 = c.org_id AND a.deleted_at IS NULL
          FOR KEY SHARE
     ) live
     ORDER BY c.asset_id
    ON CONFLICT (org_id, asset_id) DO NOTHING`;
}

function endVisits(ends: readonly VisitEnd[]): Prisma.Sql {
  const of = <Value>(value: (end: VisitEnd) => Value) => ends.map(value);
  return Prisma.sql`
    UPDATE asset_visits v
       SET left_at = ${at('c.left')}, last_seen_at = ${at('c.last_seen')}
      FROM unnest(
        ${numbers(of(({ orgId }) => orgId))}::int[], ${numbers(of(({ assetId }) => assetId))}::int[],
        ${numbers(of(({ leftAtMs }) => leftAtMs))}::float8[], ${numbers(of(({ lastSeenMs }) => lastSeenMs))}::float8[]
      ) AS c (org_id, asset_id, "left", last_seen)
     CROSS JOIN LATERAL (
       SELECT o.ctid AS row_id
         FROM asset_visits o
        WHERE o.org_id = c.org_id AND o.asset_id = c.asset_id
        ORDER BY o.arrived_at DESC
        LIMIT 1
     ) newest
     WHERE v.ctid = newest.row_id`;
}

function startVisits(starts: readonly VisitStart[]): Prisma.Sql {
  const of = <Value>(value: (start: VisitStart) => Value) => starts.map(value);
  return Prisma.sql`
    INSERT INTO asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
    SELECT c.org_id, c.asset_id, ${at('c.arrived')}, ${at('c."left"')}, CASE WHEN c."left" IS NOT NULL THEN ${at('c.arrived')} END,
           c.location_id
      FROM unnest(
        ${numbers(of(({ orgId }) => orgId))}::int[], ${numbers(of(({ assetId }) => assetId))}::int[],
        ${numbers(of(({ arrivedAtMs }) => arrivedAtMs))}::float8[], ${numbers(of(({ leftAtMs }) => leftAtMs))}::float8[],
        ${numbers(of(({ location }) => nullable(location)))}::int[]
      ) AS c (org_id, asset_id, arrived, "left", location_id)
    ON CONFLICT (org_id, asset_id, arrived_at) DO UPDATE
       SET left_at = EXCLUDED.left_at, last_seen_at = EXCLUDED.last_seen_at, location_id = EXCLUDED.location_id`;
}

/** Rows are taken in the order of the key, so that two batches never wait for each other in a circle. */
function countUnknown(counts: readonly UnknownCount[]): Prisma.Sql {
  const of = <Value>(value: (count: UnknownCount) => Value) => counts.map(value);
  return Prisma.sql`
    INSERT INTO unknown_tags AS u (org_id, tag_type, value, reader_id, antenna, count, first_seen, last_seen)
    SELECT c.org_id, nullif(c.tag_type, ''), c.value, c.reader_id, c.antenna, c.count, ${at('c.first')}, ${at('c.last')}
      FROM unnest(
        ${numbers(of(({ orgId }) => orgId))}::int[], ${texts(of(({ tagType }) => tagType ?? ''))}::text[],
        ${texts(of(({ value }) => value))}::text[], ${numbers(of(({ readerId }) => readerId))}::int[],
        ${numbers(of(({ antenna }) => antenna))}::int[], ${numbers(of(({ count }) => count))}::int[],
        ${numbers(of(({ firstMs }) => firstMs))}::float8[], ${numbers(of(({ lastMs }) => lastMs))}::float8[]
      ) AS c (org_id, tag_type, value, reader_id, antenna, count, first, last)
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (org_id, tag_type, value, reader_id, antenna) DO UPDATE
       SET count = u.count + EXCLUDED.count,
           first_seen = least(u.first_seen, EXCLUDED.first_seen),
           last_seen = greatest(u.last_seen, EXCLUDED.last_seen)`;
}

/**
 * A heartbeat need not be exact to the second, and waits for nobody who is changing the reader. A clock's new offset goes with
 * it; one that is skipped is found again by the next message.
 */
function noteHeartbeats({ heard, clockOffsets }: ReaderChanges): Prisma.Sql {
  return Prisma.sql`
    UPDATE readers r
       SET last_message_at = greatest(r.last_message_at, ${at('h.at')}),
           clock_offset_ms = coalesce(h.clock_offset_ms, r.clock_offset_ms)
      FROM (SELECT l.id, g.at, g.clock_offset_ms
              FROM unnest(${numbers(heard.readerIds)}::int[], ${numbers(heard.atMs)}::float8[], ${numbers(clockOffsets)}::int8[])
                   AS g (reader_id, at, clock_offset_ms)
             CROSS JOIN LATERAL (
               SELECT c.id
                 FROM readers c
                WHERE c.id = g.reader_id
                  AND (c.last_message_at IS NULL OR c.last_message_at < ${at('g.at')} - interval '1 second'
                       OR g.clock_offset_ms IS NOT NULL)
                  FOR NO KEY UPDATE SKIP LOCKED) l) h
     WHERE r.id = h.id`;
}

function keepRejected({ rejected }: ReaderChanges): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO rejected_messages (org_id, reader_id, topic, reason, payload, received_at)
    SELECT r.org_id, r.id, g.topic, g.reason, decode(g.payload, 'base64'), ${at('g.at')}
      FROM unnest(${numbers(rejected.readerIds)}::int[], ${texts(rejected.topics)}::text[], ${texts(rejected.reasons)}::text[],
                  ${texts(rejected.payloads)}::text[], ${numbers(rejected.atMs)}::float8[])
           AS g (reader_id, topic, reason, payload, at)
      JOIN readers r ON r.id = g.reader_id AND r.deleted_at IS NULL`;
}
