import { currentInstant } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';

export type NotedReader = {
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
export async function writeReaderNotes(db: Queries, notes: readonly NotedReader[]): Promise<void> {
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
