import type { Database } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';

/** How long a shortened retention waits before it takes effect, so that a wrong setting can be corrected. */
const waitHours = 24;

type RetentionRow = { days: number; effective_at: string | null; now_ms: number };

/**
 * Returns the effective retention of events in days, and the database's clock. A longer retention takes effect at once.
 * A shorter retention takes effect a day after a process first saw it; until then the log contains what will be
 * deleted, and when.
 */
export async function effectiveRetention(
  db: Database,
  log: Pick<Log, 'warn'>,
  wantedDays: number,
): Promise<{ retentionDays: number; nowMs: number }> {
  const [row] = await db.$queryRaw<[RetentionRow]>`
    INSERT INTO event_retention AS r (id, days) VALUES (1, ${wantedDays}::int)
    ON CONFLICT (id) DO UPDATE
       SET days = CASE WHEN ${wantedDays}::int >= r.days OR r.next_days = ${wantedDays}::int AND r.effective_at <= clock_timestamp()
                       THEN ${wantedDays}::int ELSE r.days END,
           effective_at = CASE WHEN ${wantedDays}::int >= r.days OR r.next_days = ${wantedDays}::int AND r.effective_at <= clock_timestamp()
                               THEN NULL
                               WHEN r.next_days = ${wantedDays}::int THEN r.effective_at
                               ELSE clock_timestamp() + make_interval(hours => ${waitHours}::int) END,
           next_days = CASE WHEN ${wantedDays}::int >= r.days OR r.next_days = ${wantedDays}::int AND r.effective_at <= clock_timestamp()
                            THEN NULL ELSE ${wantedDays}::int END
    RETURNING days, to_char(effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS effective_at,
              (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`;
  if (row.effective_at !== null) {
    log.warn(
      { keptDays: row.days, nextDays: wantedDays, effectiveAt: row.effective_at },
      `EVENT_RETENTION_DAYS was shortened: events older than ${wantedDays} days are deleted from ${row.effective_at}`,
    );
  }
  return { retentionDays: row.days, nowMs: row.now_ms };
}
