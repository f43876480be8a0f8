import type { ListOf } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { findMembers, type MemberRow } from './queries.js';
import { listMembersInput } from './schemas.js';

type MemberView = Omit<MemberRow, 'created_at'> & { created_at: string };

/** Lists the organization's members, by name. */
export const listMembers = sessionProcedure('admin')
  .input(listMembersInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<MemberView>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([
      findMembers(db, ctx.orgId, paging),
      db.models(({ membership }) => membership.count({ where: { orgId: ctx.orgId } })),
    ]);
    return {
      data: rows.map((row) => ({ ...row, created_at: formatTimestamp(row.created_at) })),
      ...paging,
      total_count: count,
    };
  });
