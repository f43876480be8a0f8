import type { Log } from '../../kernel/log.js';
import type { Queries } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';

/**
 * The notes about a reader that administrators see: the newest message without reads on a topic, a topic that the
 * reader may not use, a client id that several devices use, the parts of its mapping that find nothing, and a time in its
 * messages that is no instant.
 */
export const readerNoteKinds = ['without_reads', 'other_topic', 'client_id', 'mapping', 'time'] as const;

export type ReaderNoteKind = (typeof readerNoteKinds)[number];

export type ReaderNote = {
  orgId: number;
  readerId: number;
  kind: ReaderNoteKind;
  /** The topic or client id; empty for the mapping and the time. A note replaces the previous note with the same subject. */
  subject: string;
  detail?: string;
  payload?: Uint8Array;
};

const gatherMs = 300;
/** A note with the same subject is written again after this time; until then it is only counted. */
const againMs = 10_000;
/**
 * The most notes in memory, in total and for one reader. Further notes are dropped, so that a flood of topics cannot
 * fill the memory.
 */
const notesMax = 2000;
const notesOfReaderMax = 20;
const writtenMax = 20_000;
const payloadBytesMax = 16_384;
const subjectLengthMax = 1024;

type Held = NotedReader & { dueMs: number };

/** Stores notes in the background, each subject at most every 10 s. */
export type ReaderNotes = {
  note(note: ReaderNote): void;
  /** Resolves once all notes are written, or writing them has failed. */
  stop(): Promise<void>;
};

export function createReaderNotes(options: { db: Queries; log: Log; elapsedMs?: () => number }): ReaderNotes {
  const { db, log, elapsedMs = () => performance.now() } = options;
  const held = new Map<string, Held>();
  const heldOf = new Map<number, number>();
  /** When a note was last written; oldest first. */
  const written = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(() => write(false));
    }, afterMs).unref();
  }

  async function write(isLast: boolean): Promise<void> {
    const nowMs = elapsedMs();
    const due = [...held].filter(([, note]) => isLast || note.dueMs <= nowMs);
    for (const [key, { readerId }] of due) {
      held.delete(key);
      heldOf.set(readerId, (heldOf.get(readerId) ?? 1) - 1);
      if (heldOf.get(readerId) === 0) heldOf.delete(readerId);
      written.delete(key);
      written.set(key, nowMs);
    }
    for (const [key, atMs] of written) {
      if (nowMs - atMs < againMs && written.size <= writtenMax) break;
      written.delete(key);
    }
    try {
      if (due.length > 0) {
        await writeReaderNotes(
          db,
          due.map(([, note]) => note),
        );
      }
    } catch (error) {
      log.warn({ err: error }, 'notes about readers could not be stored');
    }
    if (!isLast && held.size > 0) schedule(gatherMs);
  }

  return {
    note({ orgId, readerId, kind, subject: given, detail = '', payload }) {
      const subject = given.replaceAll('\0', '\u{fffd}').toWellFormed().slice(0, subjectLengthMax);
      const key = `${readerId} ${kind} ${subject}`;
      const known = held.get(key);
      const ofReader = heldOf.get(readerId) ?? 0;
      if (!known && (held.size >= notesMax || ofReader >= notesOfReaderMax)) return;
      if (!known) heldOf.set(readerId, ofReader + 1);
      const kept = payload && new Uint8Array(payload.subarray(0, payloadBytesMax));
      const writtenMs = written.get(key);
      const dueMs = known?.dueMs ?? (writtenMs === undefined ? 0 : writtenMs + againMs);
      const count = (known?.count ?? 0) + 1;
      const text = detail.replaceAll('\0', '\u{fffd}').toWellFormed().slice(0, subjectLengthMax);
      held.set(key, { orgId, readerId, kind, subject, detail: text, payload: kept, count, dueMs });
      schedule(gatherMs);
    },
    async stop() {
      clearTimeout(timer);
      await writing;
      await write(true);
    },
  };
}

type NotedReader = {
  orgId: number;
  readerId: number;
  kind: string;
  subject: string;
  detail: string;
  payload: Uint8Array | undefined;
  /** How many messages or connections the note stands for. */
  count: number;
};

/** The most notes of one kind that are kept for a reader. */
const keptMax = 20;

/** Stores notes about live readers. Keeps the newest 20 of each kind and reader. */
async function writeReaderNotes(db: Queries, notes: readonly NotedReader[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO reader_notes (org_id, reader_id, kind, subject, detail, payload, count, noted_at)
    SELECT r.org_id, r.id, g.kind, g.subject, g.detail, decode(g.payload, 'base64'), g.count, ${currentInstant}
      FROM unnest(
             ${notes.map(({ orgId }) => orgId)}::int[],
             ${notes.map(({ readerId }) => readerId)}::int[],
             ${notes.map(({ kind }) => kind)}::text[],
             ${notes.map(({ subject }) => subject)}::text[],
             ${notes.map(({ detail }) => detail)}::text[],
             ${notes.map(({ payload }) => (payload ? Buffer.from(payload).toString('base64') : null))}::text[],
             ${notes.map(({ count }) => count)}::int8[]
           ) AS g (org_id, reader_id, kind, subject, detail, payload, count)
      JOIN readers r ON r.org_id = g.org_id AND r.id = g.reader_id AND r.deleted_at IS NULL
     ORDER BY r.id, g.kind, g.subject
        ON CONFLICT (org_id, reader_id, kind, subject) DO UPDATE
       SET detail = excluded.detail, payload = excluded.payload, noted_at = excluded.noted_at,
           count = reader_notes.count + excluded.count`;
  await db.$executeRaw`
    DELETE FROM reader_notes n
     USING (SELECT m.org_id, m.reader_id, m.kind, m.subject,
                   row_number() OVER (PARTITION BY m.reader_id, m.kind ORDER BY m.noted_at DESC, m.subject) AS ordinal
              FROM reader_notes m
             WHERE m.org_id = ANY (${notes.map(({ orgId }) => orgId)}::int[])
               AND m.reader_id = ANY (${notes.map(({ readerId }) => readerId)}::int[])) numbered
     WHERE n.org_id = numbered.org_id AND n.reader_id = numbered.reader_id AND n.kind = numbered.kind
       AND n.subject = numbered.subject AND numbered.ordinal > ${keptMax}::int`;
}
