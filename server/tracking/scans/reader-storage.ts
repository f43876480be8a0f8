import type { Database } from '../../kernel/database/client.js';
import { instant } from '../../kernel/database/columns.js';
import type { Log } from '../../kernel/log.js';
import type { ParameterWriter } from '../../kernel/database/statement.js';
import type { ReaderChanges } from './scan-changes.js';

// The parameters of the part of a batch's statement that writes about readers.

type Parameters = Pick<ParameterWriter<ReaderChanges>, 'rows'>;

/** Returns epoch milliseconds as an instant of the database. */
export const at = (column: string) => `to_timestamp(${column} / 1000)`;

/** Whether an instant is so far ahead that a clock was wrong. Such an instant would otherwise stay the newest one. */
const isAhead = (column: string) => `${column} > clock_timestamp() + interval '10 seconds'`;

/**
 * Skips readers whose row is locked, since a batch must not wait for them; `storeSkippedHeartbeats` stores their
 * heartbeats afterwards. A skipped clock offset is found again with the next message.
 */
export function updateHeartbeats({ rows }: Parameters): string {
  return `
    UPDATE readers r
       SET last_message_at = CASE WHEN ${isAhead('r.last_message_at')} THEN ${at('h.at')}
                                  ELSE greatest(r.last_message_at, ${at('h.at')}) END,
           clock_offset_ms = coalesce(h.clock_offset_ms, r.clock_offset_ms)
      FROM (SELECT l.id, g.at, g.clock_offset_ms
              FROM ${rows('g', ({ heartbeats }) => heartbeats, {
                reader_id: ['int', ({ readerId }) => readerId],
                at: ['float8', ({ atMs }) => atMs],
                clock_offset_ms: ['int8', ({ clockOffsetMs }) => clockOffsetMs],
              })}
             CROSS JOIN LATERAL (
               SELECT c.id
                 FROM readers c
                WHERE c.id = g.reader_id
                  AND (c.last_message_at IS NULL OR c.last_message_at < ${at('g.at')} - interval '1 second'
                       OR ${isAhead('c.last_message_at')} OR g.clock_offset_ms IS NOT NULL)
                  FOR NO KEY UPDATE SKIP LOCKED) l) h
     WHERE r.id = h.id`;
}

/**
 * Stores the heartbeats that a batch skipped, one by one, and waits for the locks. The message may be the only one from
 * its reader for hours, and without a first heartbeat a reader looks as if it had never sent anything. Never rejects.
 */
export async function storeSkippedHeartbeats(
  { db, log }: { db: Pick<Database, '$executeRaw'>; log: Pick<Log, 'warn'> },
  heartbeats: readonly { readerId: number; atMs: number }[],
): Promise<void> {
  for (const { readerId, atMs } of heartbeats) {
    try {
      await db.$executeRaw`
        UPDATE readers
           SET last_message_at = ${instant(atMs)}
         WHERE id = ${readerId}::int
           AND (last_message_at IS NULL OR last_message_at < ${instant(atMs)} - interval '1 second')`;
    } catch (error) {
      log.warn({ err: error, readerId }, 'the heartbeat of a reader could not be stored');
    }
  }
}

/** Stores rejected messages, but not messages of readers that were deleted. */
export function keepRejected({ rows }: Parameters): string {
  return `
    INSERT INTO rejected_messages (org_id, reader_id, topic, reason, payload, received_at)
    SELECT r.org_id, r.id, g.topic, g.reason, decode(g.payload, 'base64'), ${at('g.at')}
      FROM ${rows('g', ({ rejected }) => rejected, {
        reader_id: ['int', ({ readerId }) => readerId],
        topic: ['text', ({ topic }) => topic],
        reason: ['text', ({ reason }) => reason],
        payload: ['text', ({ payload }) => payload],
        at: ['float8', ({ atMs }) => atMs],
      })}
      JOIN readers r ON r.id = g.reader_id AND r.deleted_at IS NULL`;
}
