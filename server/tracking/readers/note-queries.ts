import { currentInstant } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import type { ReaderFormat } from './formats.js';

/** A rejected login and its age. */
export type Refusal = { username: string; reason: string; agoMs: number };

/**
 * Stores refusals with the live readers of those user names. If another process has just stored a refusal, it stays
 * unless the reason differs. `updated_at` does not change, since the reader itself does not change.
 */
export async function writeRefusals(db: Queries, refusals: readonly Refusal[]): Promise<void> {
  await db.$executeRaw`
    UPDATE readers r
       SET last_refused_at = n.at, last_refusal_reason = n.reason
      FROM (SELECT l.id, g.reason, ${currentInstant} - make_interval(secs => g.ago_ms / 1000) AS at
              FROM unnest(
                     ${refusals.map(({ username }) => username)}::text[],
                     ${refusals.map(({ reason }) => reason)}::text[],
                     ${refusals.map(({ agoMs }) => agoMs)}::float8[]
                   ) AS g (username, reason, ago_ms)
              JOIN readers l ON l.mqtt_username = g.username AND l.deleted_at IS NULL
             ORDER BY l.id
               FOR NO KEY UPDATE OF l) n
     WHERE r.id = n.id
       AND (r.last_refused_at IS NULL
            OR r.last_refused_at < n.at - interval '9 seconds'
            OR r.last_refused_at < n.at AND r.last_refusal_reason <> n.reason)`;
}

/** Stores that readers are connected at this moment. */
export async function writeConnected(db: Queries, readerIds: readonly number[]): Promise<void> {
  await db.$executeRaw`
    UPDATE readers r
       SET last_connected_at = ${currentInstant}
      FROM (SELECT id FROM readers WHERE id = ANY(${readerIds}::int[]) ORDER BY id FOR NO KEY UPDATE) n
     WHERE r.id = n.id`;
}

/** Stores which formats can parse the messages of readers, unless this is already stored. */
export async function writeFormats(
  db: Queries,
  recognized: readonly (readonly [readerId: number, format: ReaderFormat])[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE readers r
       SET recognized_format = n.format
      FROM (SELECT l.id, g.format
              FROM unnest(
                     ${recognized.map(([readerId]) => readerId)}::int[],
                     ${recognized.map(([, format]) => format)}::text[]
                   ) AS g (reader_id, format)
              JOIN readers l ON l.id = g.reader_id AND l.format <> g.format
             ORDER BY l.id
               FOR NO KEY UPDATE OF l) n
     WHERE r.id = n.id`;
}
