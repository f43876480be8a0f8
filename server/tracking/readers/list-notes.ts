import { formatTimestamp, type Stored } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { epochMs } from '../../kernel/database/columns.js';
import type { ReaderNoteKind } from './reader-notes.js';
import { readerIdInput } from './schemas.js';

export type ReaderNoteView = {
  kind: ReaderNoteKind;
  /** A topic or a client id; empty for a mapping or a time. */
  subject: string;
  /** The addresses of a client id, the parts of a mapping that found nothing, joined by commas, or the field of a time. */
  detail: string;
  /** The newest payload as text, at most 16 KiB; null for bytes that are not UTF-8. */
  payload: string | null;
  count: number;
  noted_at: string;
};

type NoteRow = Omit<Stored<ReaderNoteView, 'noted_at'>, 'payload'> & { payload: Uint8Array | null };

/** Returns the notes about a reader of the last seven days, the newest first. */
export const listNotes = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<ReaderNoteView[]> => {
    const rows = await ctx.services.db.$queryRaw<NoteRow[]>`
      SELECT n.kind, n.subject, n.detail, n.payload, n.count::float8 AS count, ${epochMs('n.noted_at')} AS noted_at
        FROM reader_notes n
        JOIN readers r ON r.org_id = n.org_id AND r.id = n.reader_id AND r.deleted_at IS NULL
       WHERE n.org_id = ${ctx.orgId} AND n.reader_id = ${id} AND n.noted_at > now() - interval '7 days'
       ORDER BY n.noted_at DESC, n.kind, n.subject`;
    return rows.map((row) => ({
      ...row,
      payload: row.payload && textOf(row.payload),
      noted_at: formatTimestamp(row.noted_at),
    }));
  });

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
