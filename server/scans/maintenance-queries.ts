import type { Database } from '../database/client.js';

const rejectedDays = 7;
const submissionDays = 90;
/** More than these of one reader are not kept, however recent: a reader with a wrong format rejects all it sends. */
const rejectedPerReaderMax = 10_000;

/**
 * Deletes rejected messages after 7 days, unknown tags not seen again within the retention of events, and the results of
 * submissions after 90 days.
 */
export async function purgeScans(db: Database, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM rejected_messages WHERE received_at < now() - make_interval(days => ${rejectedDays}::int)`;
  await db.$executeRaw`
    DELETE FROM rejected_messages m
     USING (SELECT reader_id, max(id) AS id
              FROM (SELECT reader_id, id, row_number() OVER (PARTITION BY reader_id ORDER BY id DESC) AS place
                      FROM rejected_messages) placed
             WHERE place > ${rejectedPerReaderMax}::int
             GROUP BY reader_id) surplus
     WHERE m.reader_id = surplus.reader_id AND m.id <= surplus.id`;
  await db.$executeRaw`
    DELETE FROM unknown_tags WHERE last_seen < now() - make_interval(days => ${retentionDays}::int)`;
  await db.$executeRaw`
    DELETE FROM scan_submissions WHERE created_at < now() - make_interval(days => ${submissionDays}::int)`;
}
