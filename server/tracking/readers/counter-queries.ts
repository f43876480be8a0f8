import { numbers } from '../../kernel/database/array-literals.js';
import type { Database, Queries } from '../../kernel/database/client.js';

/** The counts of one minute, of a reader or, if `readerId` is null, of handhelds; `minuteMs` is its beginning. */
export type CountedMinute = {
  orgId: number;
  readerId: number | null;
  minuteMs: number;
  messages: number;
  reads: number;
  rejected: number;
  /** Reads of private BLE addresses that were not counted as unknown tags. */
  ignored: number;
};

/**
 * Adds counts of readers and organizations to the stored ones in one statement. The rows are locked in the order of
 * their keys, so that several processes do not deadlock.
 */
export async function addCounts(db: Queries, counted: readonly CountedMinute[]): Promise<void> {
  await db.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT g.*, to_timestamp(g.minute_ms / 1000) AS minute, to_timestamp(floor(g.minute_ms / 600000) * 600) AS slot
        FROM unnest(
               ${numbers(counted.map(({ orgId }) => orgId))}::int[],
               ${numbers(counted.map(({ readerId }) => readerId))}::int[],
               ${numbers(counted.map(({ minuteMs }) => minuteMs))}::float8[],
               ${numbers(counted.map(({ messages }) => messages))}::int[],
               ${numbers(counted.map(({ reads }) => reads))}::int[],
               ${numbers(counted.map(({ rejected }) => rejected))}::int[],
               ${numbers(counted.map(({ ignored }) => ignored))}::int[]
             ) AS g (org_id, reader_id, minute_ms, messages, reads, rejected, ignored)
        JOIN organizations o ON o.id = g.org_id
    ), of_readers AS (
      INSERT INTO reader_minutes AS m (org_id, reader_id, minute, messages, reads, rejected, ignored)
      SELECT g.org_id, g.reader_id, g.minute, g.messages, g.reads, g.rejected, g.ignored
        FROM given g
       WHERE g.reader_id IS NOT NULL
       ORDER BY g.org_id, g.reader_id, g.minute
      ON CONFLICT (org_id, reader_id, minute) DO UPDATE
         SET messages = m.messages + EXCLUDED.messages,
             reads = m.reads + EXCLUDED.reads,
             rejected = m.rejected + EXCLUDED.rejected,
             ignored = m.ignored + EXCLUDED.ignored
    )
    INSERT INTO read_counts AS c (org_id, slot, reads)
    SELECT g.org_id, g.slot, sum(g.reads)
      FROM given g
     GROUP BY g.org_id, g.slot
    HAVING sum(g.reads) > 0
     ORDER BY g.org_id, g.slot
    ON CONFLICT (org_id, slot) DO UPDATE
       SET reads = c.reads + EXCLUDED.reads`;
}

const minutesKeptDays = 2;
const countsKeptDays = 30;

/** Deletes counts of readers after two days, and counts of organizations after thirty days. */
export async function removeOldCounts(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM reader_minutes WHERE minute < now() - make_interval(days => ${minutesKeptDays}::int)`;
  await db.$executeRaw`
    DELETE FROM read_counts WHERE slot < now() - make_interval(days => ${countsKeptDays}::int)`;
}
