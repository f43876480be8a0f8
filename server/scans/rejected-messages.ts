import type { Database } from '../database/client.js';

const keptDays = 7;
/** More than these of one reader are not kept, however recent: a reader with a wrong format rejects all it sends. */
const keptPerReaderMax = 10_000;

/** Deletes rejected messages after 7 days, and of each reader all but the newest 10,000. */
export async function removeOldRejectedMessages(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM rejected_messages WHERE received_at < now() - make_interval(days => ${keptDays}::int)`;
  await db.$executeRaw`
    DELETE FROM rejected_messages m
     USING (SELECT reader_id, max(id) AS id
              FROM (SELECT reader_id, id, row_number() OVER (PARTITION BY reader_id ORDER BY id DESC) AS place
                      FROM rejected_messages) placed
             WHERE place > ${keptPerReaderMax}::int
             GROUP BY reader_id) surplus
     WHERE m.reader_id = surplus.reader_id AND m.id <= surplus.id`;
}
