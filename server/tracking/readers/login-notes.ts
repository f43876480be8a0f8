import type { Log } from '../../kernel/log.js';
import type { Queries } from '../../kernel/database/client.js';
import type { ReaderFormat } from './formats.js';
import { currentInstant } from '../../kernel/database/columns.js';

/** How long a note waits for further notes, which are written with it. */
const gatherMs = 300;
/** The pause after a failed write. */
const retryMs = 5000;
/** Within this time, a later note about a user name replaces the earlier one. */
const refusalEveryMs = 10_000;
/**
 * The most user names in memory. Refusals of further names are not recorded, so that invented names cannot fill the
 * memory.
 */
const usernamesMax = 10_000;
/**
 * At most this many messages of a reader are examined for another format within this time; remembered for this many
 * readers.
 */
const looksMax = 5;
const looksInMs = 10_000;
const recognizedMax = 10_000;
/** Rows of one statement, which are locked until its end. */
const rowsMax = 1000;

/**
 * Stores which readers are connected, which were rejected, and which send another format. Runs in the background and
 * never delays a login.
 */
export type LoginNotes = {
  /**
   * Records that a login with this user name was refused, and why, for the administrators of its reader. Stores the latest
   * refusal of each name, at most once in 10 s; unknown names are ignored.
   */
  noteRefusal(username: string, reason: string): void;
  /**
   * Records that the reader's format could not parse a message. At most 5 messages in 10 s are examined for another
   * format, which administrators then see.
   */
  noteNotUnderstood(readerId: number, recognize: () => ReaderFormat | undefined): void;
  /** Records that these readers are connected now. Repeat this at least every `connectionNoteMs`. */
  noteConnected(readerIds: Iterable<number>): void;
  /** Resolves once all notes are written, or writing them has failed. */
  stop(): Promise<void>;
};

/** Creates login notes. Runs one statement at a time; failed writes are repeated with the next write. */
export function createLoginNotes(options: { db: Queries; log: Log; elapsedMs?: () => number }): LoginNotes {
  const { db, log, elapsedMs = () => performance.now() } = options;
  const refusals = new Map<string, { reason: string; atMs: number }>();
  /** When a refusal was last written, by user name; oldest first. */
  const written = new Map<string, number>();
  const connected = new Set<number>();
  const formats = new Map<number, ReaderFormat>();
  /** How many messages of a reader have been examined, and since when; oldest first. */
  const looked = new Map<number, { sinceMs: number; looks: number }>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;

  function schedule(): void {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        writing = writing.then(() => write(false)).then(scheduleRest);
      },
      hasFailed ? retryMs : gatherMs,
    ).unref();
  }

  function scheduleRest(): void {
    if (refusals.size > 0 || written.size > 0 || connected.size > 0 || formats.size > 0) schedule();
  }

  async function write(isLast: boolean): Promise<void> {
    const nowMs = elapsedMs();
    for (const [username, atMs] of written) {
      if (nowMs - atMs < refusalEveryMs) break;
      written.delete(username);
    }
    try {
      for (const readerIds of portions(connected)) {
        await writeConnected(db, readerIds);
        for (const id of readerIds) connected.delete(id);
      }
      for (const some of portions(formats)) {
        await writeFormats(db, some);
        for (const [readerId] of some) formats.delete(readerId);
      }
      const due = [...refusals.keys()].filter((username) => isLast || !written.has(username));
      for (const usernames of portions(due)) await writeSome(usernames, nowMs);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      log.warn({ err: error }, 'logins of readers could not be noted yet');
    }
  }

  async function writeSome(usernames: readonly string[], nowMs: number): Promise<void> {
    const some = usernames.flatMap((username) => {
      const refusal = refusals.get(username);
      return refusal ? [{ username, refusal }] : [];
    });
    await writeRefusals(
      db,
      some.map(({ username, refusal: { reason, atMs } }) => ({ username, reason, agoMs: nowMs - atMs })),
    );
    for (const { username, refusal } of some) {
      written.delete(username);
      written.set(username, nowMs);
      // If another refusal arrived while this one was being written, it still has to be written.
      if (refusals.get(username) === refusal) refusals.delete(username);
    }
  }

  return {
    noteRefusal(username, reason) {
      if (refusals.size + written.size >= usernamesMax && !refusals.has(username)) return;
      refusals.set(username, { reason, atMs: elapsedMs() });
      schedule();
    },
    noteNotUnderstood(readerId, recognize) {
      const nowMs = elapsedMs();
      for (const [id, { sinceMs }] of looked) {
        if (nowMs - sinceMs < looksInMs && looked.size <= recognizedMax) break;
        looked.delete(id);
      }
      const known = looked.get(readerId) ?? { sinceMs: nowMs, looks: 0 };
      if (known.looks >= looksMax) return;
      known.looks += 1;
      looked.set(readerId, known);
      const format = recognize();
      if (!format) return;
      formats.set(readerId, format);
      schedule();
    },
    noteConnected(readerIds) {
      for (const id of readerIds) connected.add(id);
      schedule();
    },
    async stop() {
      clearTimeout(timer);
      await writing;
      await write(true);
      clearTimeout(timer);
    },
  };
}

function portions<Value>(values: Iterable<Value>): Value[][] {
  const all = [...values];
  return Array.from({ length: Math.ceil(all.length / rowsMax) }, (_, n) => all.slice(n * rowsMax, (n + 1) * rowsMax));
}

/** A rejected login and its age. */
type Refusal = { username: string; reason: string; agoMs: number };

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
async function writeFormats(
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
