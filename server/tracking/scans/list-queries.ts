import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { listQuery } from '../../kernel/database/list-query.js';
import type { CountedRow, Paging } from '../../kernel/lists.js';

export type UnknownRow = {
  id: number;
  value: string;
  tag_type: string | null;
  reader_id: number | null;
  antenna: number | null;
  count: number;
  first_seen: number;
  last_seen: number;
};

export async function listUnknownRows(db: Database, orgId: number, paging: Paging): Promise<CountedRow<UnknownRow>[]> {
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

export type RejectedRow = {
  id: number;
  reader_id: number;
  topic: string;
  reason: string;
  payload: Uint8Array;
  received_at: number;
};

/** Lists the rejected messages of all readers, or of one: each has an index. */
export async function listRejectedRows(
  db: Database,
  orgId: number,
  { readerId, paging }: { readerId?: number; paging: Paging },
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
