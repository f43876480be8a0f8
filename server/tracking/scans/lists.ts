import { type CountedRow, type ListOf, pageOf, type Paging } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { formatTimestamp, type Stored } from '../../kernel/time.js';
import { listInput, rejectedInput } from './schemas.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { listQuery } from '../../kernel/database/list-query.js';

/** Lists values that were read but are not attached to anything, latest first. */
export const listUnknownTags = sessionProcedure('viewer')
  .input(listInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<UnknownTagView>> => {
    return pageOf(await listUnknownRows(ctx.services.db, ctx.orgId, paging), paging, unknownTagView);
  });

/** Lists messages that could not be parsed, of all readers or of one, latest first. */
export const listRejectedMessages = sessionProcedure('admin')
  .input(rejectedInput)
  .query(async ({ ctx, input: { reader_id: readerId, ...paging } }): Promise<ListOf<RejectedMessageView>> => {
    const rows = await listRejectedRows(ctx.services.db, ctx.orgId, { readerId, paging });
    return pageOf(rows, paging, rejectedMessageView);
  });

function unknownTagView({ id: _id, ...row }: UnknownRow): UnknownTagView {
  return { ...row, first_seen: formatTimestamp(row.first_seen), last_seen: formatTimestamp(row.last_seen) };
}

function rejectedMessageView(row: RejectedRow): RejectedMessageView {
  const text = textOf(row.payload);
  return {
    ...row,
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

type UnknownRow = Stored<UnknownTagView, 'first_seen' | 'last_seen'> & { id: number };

async function listUnknownRows(db: Database, orgId: number, paging: Paging): Promise<CountedRow<UnknownRow>[]> {
  const [source, order] = [Prisma.raw('unknown_tags u'), Prisma.raw('u.last_seen DESC, u.id')];
  const conditions = [Prisma.sql`u.org_id = ${orgId}`];
  return db.$queryRaw<CountedRow<UnknownRow>[]>`
    ${listQuery({ source, conditions, order, paging, total: 'apart' })}
    SELECT counts.*, u.id::float8 AS id, u.value, u.tag_type, u.reader_id, u.antenna, u.count::float8 AS count,
           ${epochMs('u.first_seen')} AS first_seen, ${epochMs('u.last_seen')} AS last_seen
      FROM counts
      LEFT JOIN page u ON true
     ORDER BY ${order}`;
}

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

type RejectedRow = Omit<Stored<RejectedMessageView, 'received_at'>, 'payload' | 'payload_encoding'> & {
  payload: Uint8Array;
};

/** Lists the rejected messages of all readers, or of one: each has an index. */
async function listRejectedRows(
  db: Database,
  orgId: number,
  { readerId, paging }: { readerId: number | undefined; paging: Paging },
): Promise<CountedRow<RejectedRow>[]> {
  const [source, order] = [Prisma.raw('rejected_messages m'), Prisma.raw('m.received_at DESC, m.id')];
  const conditions = [
    Prisma.sql`m.org_id = ${orgId}`,
    readerId === undefined ? undefined : Prisma.sql`m.reader_id = ${readerId}`,
  ];
  return db.$queryRaw<CountedRow<RejectedRow>[]>`
    ${listQuery({ source, conditions, order, paging, total: 'apart' })}
    SELECT counts.*, m.id::float8 AS id, m.reader_id, m.topic, m.reason, m.payload,
           ${epochMs('m.received_at')} AS received_at
      FROM counts
      LEFT JOIN page m ON true
     ORDER BY ${order}`;
}
