import type { ListOf } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { countInvitations, findInvitations } from './invitation-queries.js';
import { type InvitationView, invitationView } from './invite.js';
import { listInvitationsInput } from './schemas.js';

/** Lists the valid links, newest first. */
export const listInvitations = sessionProcedure('admin')
  .input(listInvitationsInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<InvitationView>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([findInvitations(db, ctx.orgId, paging), countInvitations(db, ctx.orgId)]);
    return { data: rows.map(invitationView), ...paging, total_count: count };
  });
