import { Prisma } from '../../../generated/prisma/client.js';

/**
 * The statuses of a reader. `receiving`: it sent a message within two minutes, and reads within five. `rejecting`: it
 * sent messages, but none of the last five minutes could be parsed. `refused`: a login under its name was refused since
 * it was last connected. `connected`: it is connected but sends no reads: either no messages yet, or only messages
 * without reads. `silent`: it was connected before. `never`: it was never connected.
 */
export const readerStatuses = ['receiving', 'rejecting', 'refused', 'connected', 'silent', 'never'] as const;

export type ReaderStatus = (typeof readerStatuses)[number];

const status = Prisma.raw(`
  CASE
    WHEN r.last_message_at > statement_timestamp() - interval '2 minutes'
      THEN CASE WHEN m.reads > 0 THEN 'receiving' WHEN m.rejected > 0 THEN 'rejecting' ELSE 'connected' END
    WHEN r.last_refused_at >
         coalesce(greatest(r.last_message_at, r.last_connected_at + interval '45 seconds'), '-infinity') THEN 'refused'
    WHEN r.last_message_at IS NULL
         AND r.last_connected_at > statement_timestamp() - interval '65 seconds' THEN 'connected'
    WHEN r.last_message_at IS NULL AND r.last_connected_at IS NULL THEN 'never'
    ELSE 'silent'
  END`);

/** The present minute, by which reads are counted. */
export const thisMinute = Prisma.raw(`date_trunc('minute', statement_timestamp())`);

/**
 * Returns a query for readers with their status, shared by all pages: `id`, `name`, `location_id`, `last_message_at`,
 * `status` and `recent_reads`, the reads of the last five minutes.
 *
 * @param conditions on the readers `r`, including the condition on the organization
 */
export function statedReaders(conditions: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT r.id, r.name, r.location_id, r.last_message_at, ${status} AS status, coalesce(m.reads, 0) AS recent_reads
      FROM readers r
      LEFT JOIN LATERAL (
        SELECT sum(c.reads)::float8 AS reads, sum(c.rejected)::float8 AS rejected
          FROM reader_minutes c
         WHERE c.org_id = r.org_id AND c.reader_id = r.id AND c.minute >= ${thisMinute} - interval '4 minutes'
      ) m ON true
     WHERE ${conditions}`;
}
