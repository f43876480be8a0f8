import { type ListOf, pageOf } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { formatTimestamp } from '../../kernel/time.js';
import { listRejectedRows, listUnknownRows, type RejectedRow, type UnknownRow } from './list-queries.js';
import { listInput, readerListInput } from './schemas.js';

/** A value that was read but is not attached to anything. */
export type UnknownTagView = {
  value: string;
  /** Null if a handheld read it without a type. */
  tag_type: string | null;
  /** Null if a handheld read it, like `antenna`. */
  reader_id: number | null;
  antenna: number | null;
  count: number;
  first_seen: string;
  last_seen: string;
};

/** Lists values that were read but are not attached to anything, latest first. */
export const listUnknownTags = sessionProcedure('viewer')
  .input(listInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<UnknownTagView>> => {
    return pageOf(await listUnknownRows(ctx.services.db, ctx.orgId, paging), paging, unknownTagView);
  });

/** A message that could not be parsed, with the part of its payload that is kept. */
export type RejectedMessageView = {
  id: number;
  reader_id: number;
  topic: string;
  reason: string;
  payload: string;
  /** `text` if the payload is UTF-8, otherwise `base64`. */
  payload_encoding: 'text' | 'base64';
  received_at: string;
};

/** Lists messages that could not be parsed, latest first. */
export const listRejectedMessages = sessionProcedure('admin')
  .input(listInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<RejectedMessageView>> => {
    return pageOf(await listRejectedRows(ctx.services.db, ctx.orgId, { paging }), paging, rejectedMessageView);
  });

/** Lists the rejected messages of one reader. */
export const listRejectedByReader = sessionProcedure('admin')
  .input(readerListInput)
  .query(async ({ ctx, input: { reader_id: readerId, ...paging } }): Promise<ListOf<RejectedMessageView>> => {
    const rows = await listRejectedRows(ctx.services.db, ctx.orgId, { readerId, paging });
    return pageOf(rows, paging, rejectedMessageView);
  });

function unknownTagView(row: UnknownRow): UnknownTagView {
  return {
    value: row.value,
    tag_type: row.tag_type,
    reader_id: row.reader_id,
    antenna: row.antenna,
    count: row.count,
    first_seen: formatTimestamp(row.first_seen),
    last_seen: formatTimestamp(row.last_seen),
  };
}

function rejectedMessageView(row: RejectedRow): RejectedMessageView {
  const text = textOf(row.payload);
  return {
    id: row.id ?? 0,
    reader_id: row.reader_id,
    topic: row.topic,
    reason: row.reason,
    payload: text ?? Buffer.from(row.payload).toString('base64'),
    payload_encoding: text === undefined ? 'base64' : 'text',
    received_at: formatTimestamp(row.received_at),
  };
}

/**
 * Returns the bytes as text if they are UTF-8, without a character that the limit cut off at the end; otherwise
 * undefined.
 */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
