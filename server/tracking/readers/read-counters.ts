import type { Log } from '../../kernel/log.js';
import type { ReceivedMessage } from '../scans/batch.js';
import type { Database, Queries } from '../../kernel/database/client.js';
import { numbers } from '../../kernel/database/array-literals.js';

const minuteMs = 60_000;
/** How long counts are accumulated before they are written. */
const gatherMs = 2000;
/** The pause after a failed write. */
const retryMs = 5000;
/** Rows of one statement, which are locked until its end. */
const rowsMax = 2000;
/** The most counts in memory. Further counts are dropped, so that an unreachable database cannot fill the memory. */
const countsMax = 100_000;

/** Counts reads in the background, without delaying ingestion. A crash loses the last two seconds. */
export type ReadCounters = {
  /**
   * Counts a stored message of a reader. `ignored` is how many of its reads, or of the reads stored with it, had
   * private BLE addresses.
   */
  stored(received: ReceivedMessage, ignored?: number): void;
  /** Counts the reads that handhelds of an organization have just submitted. */
  submitted(orgId: number, reads: number): void;
  /** Resolves once all counts are written, or writing them has failed. */
  stop(): Promise<void>;
};

export function createReadCounters(options: { db: Queries; log: Log; now?: () => number }): ReadCounters {
  const { db, log, now = Date.now } = options;
  /** By minute, then by reader id, or for handhelds by the negative organization id. */
  let minutes = new Map<number, Map<number, CountedMinute>>();
  let size = 0;
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;

  /** Returns the counts to add to; undefined if the limit is reached. */
  function countsOf(orgId: number, readerId: number | null, atMs: number): CountedMinute | undefined {
    const begin = atMs - (atMs % minuteMs);
    let ofMinute = minutes.get(begin);
    if (!ofMinute) minutes.set(begin, (ofMinute = new Map<number, CountedMinute>()));
    const key = readerId ?? -orgId;
    const known = ofMinute.get(key);
    if (known || size >= countsMax) return known;
    const counts = { orgId, readerId, minuteMs: begin, messages: 0, reads: 0, rejected: 0, ignored: 0 };
    ofMinute.set(key, counts);
    size += 1;
    timer ??= setTimeout(flush, hasFailed ? retryMs : gatherMs).unref();
    return counts;
  }

  function flush(): void {
    timer = undefined;
    writing = writing.then(write);
  }

  async function write(): Promise<void> {
    const counted = [...minutes.values()].flatMap((ofMinute) => [...ofMinute.values()]);
    minutes = new Map();
    size = 0;
    for (let begin = 0; begin < counted.length; begin += rowsMax) {
      try {
        await addCounts(db, counted.slice(begin, begin + rowsMax));
        hasFailed = false;
      } catch (error) {
        hasFailed = true;
        log.warn({ err: error }, 'counts of reads could not be stored yet');
        for (const counts of counted.slice(begin)) takeBack(counts);
        return;
      }
    }
  }

  function takeBack({ orgId, readerId, minuteMs: begin, messages, reads, rejected, ignored }: CountedMinute): void {
    const counts = countsOf(orgId, readerId, begin);
    if (!counts) return;
    counts.messages += messages;
    counts.reads += reads;
    counts.rejected += rejected;
    counts.ignored += ignored;
  }

  return {
    stored({ message: { orgId, readerId, content, isTest = false }, receivedAtMs }, ignored = 0) {
      if (isTest) return;
      const counts = countsOf(orgId, readerId, receivedAtMs);
      if (!counts) return;
      counts.messages += 1;
      counts.ignored += ignored;
      if (content.kind === 'reads') counts.reads += content.reads.length;
      if (content.kind === 'rejected' || (content.kind === 'reads' && content.loss)) counts.rejected += 1;
    },
    submitted(orgId, reads) {
      const counts = countsOf(orgId, null, Math.floor(now()));
      if (counts) counts.reads += reads;
    },
    async stop() {
      clearTimeout(timer);
      await writing;
      await write();
      clearTimeout(timer);
    },
  };
}

/** The counts of one minute, of a reader or, if `readerId` is null, of handhelds; `minuteMs` is its beginning. */
type CountedMinute = {
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
async function addCounts(db: Queries, counted: readonly CountedMinute[]): Promise<void> {
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
