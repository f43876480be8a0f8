import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { listReaderNotes } from './reader-note-queries.js';
import type { ReaderNoteKind } from './reader-notes.js';
import { readerIdInput } from './schemas.js';

export type ReaderNoteView = {
  kind: ReaderNoteKind;
  /** A topic or a client id; empty for a mapping. */
  subject: string;
  /** The addresses of a client id, or the parts of a mapping that found nothing, joined by commas. */
  detail: string;
  /** The newest payload as text, at most 16 KiB; null for bytes that are no UTF-8. */
  payload: string | null;
  count: number;
  noted_at: string;
};

/** Returns what was noted of a reader beside its reads within seven days, the newest first. */
export const listNotes = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<ReaderNoteView[]> => {
    const rows = await listReaderNotes(ctx.services.db, ctx.orgId, id);
    return rows.map((row) => ({
      kind: row.kind as ReaderNoteKind,
      subject: row.subject,
      detail: row.detail,
      payload: row.payload && textOf(row.payload),
      count: row.count,
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
