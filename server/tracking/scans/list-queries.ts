import type { Database } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
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

export async function listUnknownRows(
  db: Database,
  orgId: number,
  { limit, offset }: Paging,
): Promise<CountedRow<UnknownRow>[]> {
  return db.$queryRaw<CountedRow<UnknownRow>[]>`
    SELECT page.*, counted.total_count
      FROM (SELECT count(*)::int AS total_count FROM unknown_tags WHERE org_id = ${orgId}) counted
      LEFT JOIN LATERAL (
        SELECT u.id::float8 AS id, u.value, u.tag_type, u.reader_id, u.antenna, u.count::float8 AS count,
               ${epochMs('u.first_seen')} AS first_seen, ${epochMs('u.last_seen')} AS last_seen
          FROM unknown_tags u
         WHERE u.org_id = ${orgId}
         ORDER BY u.last_seen DESC, u.id
         LIMIT ${limit}::int OFFSET ${offset}::int
      ) page ON true`;
}

export type RejectedRow = {
  id: number;
  reader_id: number;
  topic: string;
  reason: string;
  payload: Uint8Array;
  received_at: number;
};

export async function listRejectedRows(
  db: Database,
  orgId: number,
  { limit, offset }: Paging,
): Promise<CountedRow<RejectedRow>[]> {
  return db.$queryRaw<CountedRow<RejectedRow>[]>`
    SELECT page.*, counted.total_count
      FROM (SELECT count(*)::int AS total_count FROM rejected_messages WHERE org_id = ${orgId}) counted
      LEFT JOIN LATERAL (
        SELECT m.id::float8 AS id, m.reader_id, m.topic, m.reason, m.payload,
               ${epochMs('m.received_at')} AS received_at
          FROM rejected_messages m
         WHERE m.org_id = ${orgId}
         ORDER BY m.received_at DESC, m.id
         LIMIT ${limit}::int OFFSET ${offset}::int
      ) page ON true`;
}

/** Lists the rejected messages of a reader by an index of its own. */
export async function listRejectedRowsOfReader(
  db: Database,
  orgId: number,
  { readerId, paging: { limit, offset } }: { readerId: number; paging: Paging },
): Promise<CountedRow<RejectedRow>[]> {
  return db.$queryRaw<CountedRow<RejectedRow>[]>`
    SELECT page.*, counted.total_count
      FROM (SELECT count(*)::int AS total_count
              FROM rejected_messages
             WHERE org_id = ${orgId} AND reader_id = ${readerId}) counted
      LEFT JOIN LATERAL (
        SELECT m.id::float8 AS id, m.reader_id, m.topic, m.reason, m.payload,
               ${epochMs('m.received_at')} AS received_at
          FROM rejected_messages m
         WHERE m.org_id = ${orgId} AND m.reader_id = ${readerId}
         ORDER BY m.received_at DESC, m.id
         LIMIT ${limit}::int OFFSET ${offset}::int
      ) page ON true`;
}
