import type { ParameterWriter } from '../database/statement.js';
import type { ReaderChanges } from './scan-changes.js';

// What the statement that stores a batch writes about its readers.

type Parameters = Pick<ParameterWriter<ReaderChanges>, 'rows'>;

/** Returns epoch milliseconds as an instant of the database. */
export const at = (column: string) => `to_timestamp(${column} / 1000)`;

/**
 * Skips readers whose row is locked, since a heartbeat need not be exact to the second. A skipped clock offset is found
 * again with the next message.
 */
export function noteHeartbeats({ rows }: Parameters): string {
  return `
    UPDATE readers r
       SET last_message_at = greatest(r.last_message_at, ${at('h.at')}),
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
                       OR g.clock_offset_ms IS NOT NULL)
                  FOR NO KEY UPDATE SKIP LOCKED) l) h
     WHERE r.id = h.id`;
}

/** Stores rejected messages, but not those of readers that were deleted. */
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
