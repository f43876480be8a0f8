import { t } from '@lingui/core/macro';
import { isOffline } from '../../api/errors.js';
import type { Api } from '../../api/trpc.js';
import { chunksOf } from '../../csv/chunks.js';
import type { FileKind } from '../../csv/columns.js';
import type { ReadFile } from '../../csv/read-file.js';

export type FileToSend = { kind: FileKind; name: string; read: ReadFile };

type Watch = { onRows: (rows: number) => void; signal: AbortSignal };

const attemptsMax = 5;
/** The most ignored columns that the service accepts by name. */
const ignoredMax = 500;

/** A row that no request can hold. */
export class RowTooLong extends Error {
  readonly line: number;

  constructor(line: number) {
    super(t`The row on line ${line} is too long to be sent.`);
    this.line = line;
  }
}

/** Sends a file and starts its check; resolves with the import's id. If an answer is lost, the chunk is sent again. */
export async function sendFile(api: Api, { kind, name, read }: FileToSend, { onRows, signal }: Watch): Promise<string> {
  const created = await api.imports.create.mutate({
    kind,
    file_name: name.slice(-255),
    columns: read.columns,
    ignored_columns: read.ignored.slice(0, ignoredMax).map((header) => header.slice(0, 255)),
    row_count: read.rows.length,
  });
  const importId = created.import.id;
  let number = 0;
  let sent = 0;
  for (const rows of chunksOf(read.rows, created.chunk_bytes_max)) {
    if ('tooLong' in rows) {
      await api.imports.cancel.mutate({ import_id: importId });
      throw new RowTooLong(rows.tooLong.line);
    }
    const chunk = number;
    await persistently(signal, () =>
      // Sent separately, because together with other calls the request would be too large.
      api.imports.addRows.mutate({ import_id: importId, chunk, rows }, { signal, context: { alone: true } }),
    );
    number += 1;
    sent += rows.length;
    onRows(sent);
  }
  await persistently(signal, () => api.imports.check.mutate({ import_id: importId }));
  return importId;
}

async function persistently<Answer>(signal: AbortSignal, send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      if (attempt === attemptsMax || !isOffline(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
    }
  }
}
