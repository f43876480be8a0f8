import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, inNaturalOrder, nextInstant } from '../../kernel/database/columns.js';
import { type CountedRow, type Paging, rowsOfPage } from '../../kernel/lists.js';
import type { Antenna, LocationRule } from './schemas.js';
import type { Mapping, ReaderRow } from './view.js';

const readerRow = Prisma.sql`
  r.id, r.name, r.format, r.mapping, r.location_id,
  (SELECT coalesce(json_agg(json_build_object(
            'port', a.port, 'location_id', a.location_id, 'min_rssi_dbm', a.min_rssi_dbm, 'kind', a.kind)
            ORDER BY a.port), '[]')
     FROM reader_antennas a
    WHERE a.reader_id = r.id) AS antennas,
  r.mqtt_username, r.publish_topic, r.more_topics, r.resolution_seconds, r.use_receipt_time,
  r.count_private_addresses, r.location_rule,
  r.clock_offset_ms::float8 AS clock_offset_ms,
  ${epochMs('r.last_message_at')} AS last_message_at,
  ${epochMs('r.last_connected_at')} AS last_connected_at,
  ${epochMs('r.last_refused_at')} AS last_refused_at,
  r.last_refusal_reason,
  ${epochMs('r.created_at')} AS created_at,
  ${epochMs('r.updated_at')} AS updated_at`;

/** The settings of a reader; antennas have a table of their own. */
export type ReaderSettings = {
  name: string;
  format: string;
  location_id: number | null;
  publish_topic: string;
  more_topics: string[];
  resolution_seconds: number;
  use_receipt_time: boolean;
  count_private_addresses: boolean;
  location_rule: LocationRule;
  mapping: Mapping | null;
};

export type NewReader = ReaderSettings & { mqtt_username: string; secret_hash: string };

export async function insertReader(tx: Queries, orgId: number, reader: NewReader): Promise<number> {
  const [row] = await tx.$queryRaw<[{ id: number }]>`
    INSERT INTO readers (org_id, name, format, mapping, location_id, mqtt_username, secret_hash, publish_topic,
                         more_topics, resolution_seconds, use_receipt_time, count_private_addresses, location_rule, created_at,
                         updated_at)
    SELECT ${orgId}::int, ${reader.name}, ${reader.format}, ${jsonText(reader.mapping)}::jsonb,
           ${reader.location_id}::int, ${reader.mqtt_username}, ${reader.secret_hash}, ${reader.publish_topic},
           ${reader.more_topics}::text[], ${reader.resolution_seconds}::int, ${reader.use_receipt_time}::boolean,
           ${reader.count_private_addresses}::boolean, ${reader.location_rule},
           now_ms.at, now_ms.at
      FROM (SELECT ${currentInstant} AS at) now_ms
    RETURNING id`;
  return row.id;
}

export async function findReader(db: Queries, orgId: number, readerId: number): Promise<ReaderRow | undefined> {
  const rows = await db.$queryRaw<ReaderRow[]>`
    SELECT ${readerRow}
      FROM readers r
     WHERE r.org_id = ${orgId} AND r.id = ${readerId} AND r.deleted_at IS NULL`;
  return rows[0];
}

/** Locks a live reader until the end of the transaction, and returns it. */
export async function lockReader(
  tx: TransactionClient,
  orgId: number,
  readerId: number,
): Promise<ReaderRow | undefined> {
  await tx.$queryRaw`
    SELECT 1 FROM readers WHERE org_id = ${orgId} AND id = ${readerId} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return findReader(tx, orgId, readerId);
}

/** Returns the organization's live readers by name. */
export async function listReaderRows(db: Queries, orgId: number, { limit, offset }: Paging): Promise<ReaderRow[]> {
  return db.$queryRaw<ReaderRow[]>`
    SELECT ${readerRow}
      FROM readers r
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
     ORDER BY ${inNaturalOrder('r.name')}, r.id
     LIMIT ${limit}::int OFFSET ${offset}::int`;
}

export async function changeReader(
  tx: TransactionClient,
  orgId: number,
  { readerId, settings }: { readerId: number; settings: ReaderSettings },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE readers
       SET name = ${settings.name},
           recognized_format = CASE WHEN format = ${settings.format} THEN recognized_format END,
           format = ${settings.format},
           mapping = ${jsonText(settings.mapping)}::jsonb,
           location_id = ${settings.location_id}::int,
           publish_topic = ${settings.publish_topic},
           more_topics = ${settings.more_topics}::text[],
           resolution_seconds = ${settings.resolution_seconds}::int,
           use_receipt_time = ${settings.use_receipt_time}::boolean,
           count_private_addresses = ${settings.count_private_addresses}::boolean,
           location_rule = ${settings.location_rule},
           updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId} AND id = ${readerId}`;
}

/** Replaces all antennas of a reader. */
export async function replaceAntennas(
  tx: TransactionClient,
  orgId: number,
  { readerId, antennas }: { readerId: number; antennas: readonly Antenna[] },
): Promise<void> {
  await tx.$executeRaw`DELETE FROM reader_antennas WHERE org_id = ${orgId} AND reader_id = ${readerId}`;
  await tx.$executeRaw`
    INSERT INTO reader_antennas (org_id, reader_id, port, location_id, min_rssi_dbm, kind)
    SELECT ${orgId}::int, ${readerId}::int, a.port, a.location_id, a.min_rssi_dbm, a.kind
      FROM unnest(
        ${antennas.map(({ port }) => port)}::int[],
        ${antennas.map(({ location_id }) => location_id)}::int[],
        ${antennas.map(({ min_rssi_dbm }) => min_rssi_dbm)}::int[],
        ${antennas.map(({ kind }) => kind)}::text[]
      ) AS a (port, location_id, min_rssi_dbm, kind)`;
}

/**
 * Soft-deletes a reader; its events stay, and its user name is never given to another one. Returns false if there is no such
 * reader.
 */
export async function retireReader(tx: TransactionClient, orgId: number, readerId: number): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE readers
       SET deleted_at = ${currentInstant}, updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId} AND id = ${readerId} AND deleted_at IS NULL`;
  return changed > 0;
}

/** Restores a reader that was deleted in the last days. Returns false if there is no such reader. */
export async function restoreReaderRow(
  tx: TransactionClient,
  orgId: number,
  { readerId, days }: { readerId: number; days: number },
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE readers
       SET deleted_at = NULL, updated_at = ${nextInstant('updated_at')}
     WHERE org_id = ${orgId} AND id = ${readerId} AND deleted_at > clock_timestamp() - make_interval(days => ${days}::int)`;
  return changed > 0;
}

/** Returns how many antennas of a reader have settings, whether the reader is deleted or not. */
export async function antennaCount(tx: Queries, orgId: number, readerId: number): Promise<number> {
  const [{ count }] = await tx.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count
      FROM reader_antennas a
      JOIN readers r ON r.id = a.reader_id
     WHERE r.org_id = ${orgId} AND r.id = ${readerId}`;
  return count;
}

/** Returns the names of the live ones of these locations. */
export async function locationNames(
  db: Queries,
  orgId: number,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return db.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, name FROM locations WHERE org_id = ${orgId} AND id = ANY (${ids}::int[]) AND deleted_at IS NULL ORDER BY id`;
}

/** The data that the ingest broker needs to authenticate a reader. */
export type ReaderLoginRow = {
  id: number;
  org_id: number;
  mqtt_username: string;
  secret_hash: string;
  format: string;
  mapping: Mapping | null;
  publish_topic: string;
  more_topics: string[];
  is_deleted: boolean;
};

const loginRow = Prisma.sql`
  id, org_id, mqtt_username, secret_hash, format, mapping, publish_topic, more_topics, deleted_at IS NOT NULL AS is_deleted`;

export async function findLogin(db: Queries, username: string): Promise<ReaderLoginRow | undefined> {
  const rows = await db.$queryRaw<ReaderLoginRow[]>`
    SELECT ${loginRow} FROM readers WHERE mqtt_username = ${username} AND deleted_at IS NULL`;
  return rows[0];
}

/** Returns the live readers with the given user names, of all organizations. */
export async function findLogins(db: Queries, usernames: readonly string[]): Promise<ReaderLoginRow[]> {
  return db.$queryRaw<ReaderLoginRow[]>`
    SELECT ${loginRow} FROM readers WHERE mqtt_username = ANY (${usernames}::text[]) AND deleted_at IS NULL`;
}

/**
 * Returns the readers of all organizations that changed since the given instant, deleted ones too, and the database's
 * clock.
 */
export async function findChanges(
  db: Queries,
  sinceMs: number | null,
): Promise<{ nowMs: number; rows: ReaderLoginRow[] }> {
  const found = await db.$queryRaw<CountedRow<ReaderLoginRow, { now_ms: number }>[]>`
    SELECT ${epochMs('clock_timestamp()')} AS now_ms, r.*
      FROM (VALUES (1)) one
      LEFT JOIN LATERAL (
        SELECT ${loginRow} FROM readers WHERE updated_at >= to_timestamp(${sinceMs}::float8 / 1000)
      ) r ON true`;
  return { nowMs: found[0]?.now_ms ?? Date.now(), rows: rowsOfPage(found) };
}

function jsonText(mapping: Mapping | null): string | null {
  return mapping === null ? null : JSON.stringify(mapping);
}
