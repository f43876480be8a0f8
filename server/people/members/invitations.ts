import { type ListOf, pagingInput } from '../../kernel/lists.js';
import { refusal } from '../../kernel/errors.js';
import { recordChange } from '../activity/record.js';
import { randomToken } from '../auth/random-token.js';
import { ensureBelowQuota } from '../../kernel/database/quota.js';
import { invitationMail, type InvitationMailStatus } from '../mail/invitation.js';
import { mailAtOnce } from '../mail/mailer.js';
import { findMailPerson, findMailPersonOf } from '../mail/person.js';
import type { Services } from '../../services.js';
import { requireOpenSession } from '../session/queries.js';
import { sessionProcedure } from '../../trpc.js';
import {
  countAddressed,
  countInvitations,
  endInvitation,
  findInvitations,
  insertInvitation,
  invitationQuota,
  type InvitationRow,
} from './invitation-queries.js';
import { lockMembers } from './queries.js';
import { inviteInput, revokeInvitationInput } from './schemas.js';

/** Invitation mails of one organization, so that nobody can send bulk mail with the service. */
export const invitationMailsPerDayMax = 100;

/**
 * Creates an invitation link for one person, valid for 7 days. The answer contains the link. If email is configured, a
 * mail to the given address has a second link, which proves the address of the person who opens it. Using one link uses
 * up both. The token is in the fragment, after the `#`. Browsers do not send the fragment, so proxies and logs do not
 * see it.
 */
export const invite = sessionProcedure('admin')
  .input(inviteInput)
  .mutation(async ({ ctx, input: { role, email = null } }) => {
    const { orgId } = ctx;
    const { userId } = ctx.actor;
    const token = randomToken();
    // The administrator sees the first link, so only the second one proves that a person owns the address.
    const mailToken = email === null || !ctx.services.mailer ? null : randomToken();
    const { row, mails } = await ctx.services.db.$transaction(async (tx) => {
      await requireOpenSession(tx, ctx.actor.sessionId);
      await lockMembers(tx, { orgId, actorId: userId });
      await ensureBelowQuota(tx, orgId, invitationQuota);
      const made = await insertInvitation(tx, orgId, { token, mailToken, role, email, invitedBy: userId });
      const after = { role, email };
      await recordChange(tx, ctx, { ...changeOf(made), action: 'created', after });
      return { row: made, mails: email === null ? 0 : await countAddressed(tx, orgId) };
    });
    const link_path = `/join#${token}`;
    const email_status = mails > invitationMailsPerDayMax ? 'limit_reached' : await mailLink(ctx, row, mailToken);
    return { ...row, token, link_path, email_status };
  });

/** Mails the link of an invitation. Returns null if the invitation has no address. */
async function mailLink(
  { orgId, actor, services }: { orgId: number; actor: { userId: number }; services: Services },
  { email, role, invited_by_name: inviterName, expires_at: expiresAt }: InvitationRow,
  mailToken: string | null,
): Promise<InvitationMailStatus | null> {
  const { db, mailer, log, settings } = services;
  if (email === null) return null;
  if (!mailer || mailToken === null) return 'not_configured';
  const { name: orgName } = await db.models(({ organization }) =>
    organization.findUniqueOrThrow({ where: { id: orgId }, select: { name: true } }),
  );
  const mail = invitationMail({
    // A person whose language is not known probably speaks the language of the administrator.
    person: (await findMailPersonOf(db, email)) ?? (await findMailPerson(db, actor.userId)),
    orgName,
    inviterName: inviterName ?? 'An administrator',
    role,
    expiresAt: Date.parse(expiresAt),
    url: `${settings.baseUrl}/join#${mailToken}`,
  });
  return mailAtOnce({ mailer, log }, { to: email, ...mail });
}

/** Lists the valid links, newest first. */
export const listInvitations = sessionProcedure('admin')
  .input(pagingInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<InvitationRow>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([findInvitations(db, ctx.orgId, paging), countInvitations(db, ctx.orgId)]);
    return { data: rows, ...paging, total_count: count };
  });

/** Revokes a link. A link that was used, has expired, or belongs to another organization counts as missing. */
export const revokeInvitation = sessionProcedure('admin')
  .input(revokeInvitationInput)
  .mutation(async ({ ctx, input: { id } }) => {
    await ctx.services.db.$transaction(async (tx) => {
      const ended = await endInvitation(tx, ctx.orgId, id);
      if (!ended) throw refusal('not_found', { what: 'Invitation' });
      await recordChange(tx, ctx, { ...changeOf(ended), action: 'revoked' });
    });
    return { id };
  });

function changeOf({ id, email }: Pick<InvitationRow, 'id' | 'email'>) {
  return { kind: 'invitation', objectId: id, objectName: email ?? 'Anyone with the link' } as const;
}
