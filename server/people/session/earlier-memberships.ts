import { z } from 'zod';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { inNaturalOrder, timestamp } from '../../kernel/database/columns.js';
import { refusal } from '../../kernel/errors.js';
import { booleanField, idField } from '../../kernel/validation/fields.js';
import { sessionProcedure } from '../../trpc.js';
import { authorOf } from '../activity/author.js';
import type { Scope } from '../activity/record.js';
import type { Role } from '../auth/scopes.js';
import { sendWaitingMails } from '../mail/address-proven.js';
import { type EndedMember, endMembership } from '../members/end-membership.js';
import { requireAdministrators } from '../members/queries.js';
import { accessAnswer, type SessionAnswer } from './answer.js';
import { findOrganizations, findUser, moveSession, requireOpenSession } from './queries.js';

// Anybody can make an account with the address of another person, and organizations with it. The first proof of the address
// marks the memberships that are older; their mails wait, and the app opens no page until the person has chosen.

type Administrator = { name: string; email: string };

type EarlierMembership = {
  organization: { id: number; name: string };
  role: Role;
  joined_at: string;
  /** Whether the account made the organization. */
  is_creator: boolean;
  other_member_count: number;
  /** Up to twenty. */
  other_administrators: Administrator[];
};

const administratorsMax = 20;

async function findEarlierMemberships(db: Queries, userId: number): Promise<EarlierMembership[]> {
  return db.$queryRaw<EarlierMembership[]>`
    SELECT json_build_object('id', o.id, 'name', o.name) AS organization, m.role, ${timestamp('m.created_at')} AS joined_at,
           EXISTS (SELECT
                     FROM activity_log l
                    WHERE l.org_id = o.id AND l.kind = 'organization' AND l.object_id = o.id::text
                      AND l.action = 'created' AND l.actor = 'user:' || m.user_id) AS is_creator,
           (SELECT count(*)::int - 1 FROM memberships c WHERE c.org_id = o.id) AS other_member_count,
           (SELECT coalesce(json_agg(json_build_object('name', a.name, 'email', a.email)), '[]')
              FROM (SELECT u.name, u.email
                      FROM memberships c
                      JOIN users u ON u.id = c.user_id
                     WHERE c.org_id = o.id AND c.role = 'admin' AND c.user_id <> m.user_id
                     ORDER BY ${inNaturalOrder('u.name')}, u.id
                     LIMIT ${administratorsMax}::int) a) AS other_administrators
      FROM memberships m
      JOIN organizations o ON o.id = m.org_id
     WHERE m.user_id = ${userId}::int AND m.precedes_proof
     ORDER BY ${inNaturalOrder('o.name')}, o.id`;
}

/** Lists the organizations of the person's account from before the proof of its address, by name. */
export const earlierMemberships = sessionProcedure('viewer').query(async ({ ctx }) => ({
  data: await findEarlierMemberships(ctx.services.db, ctx.actor.userId),
}));

const organizationsMax = 1000;

const input = z.strictObject({
  choices: z
    .array(z.strictObject({ organization_id: idField('required'), keeps: booleanField('required') }))
    .max(organizationsMax),
});

/**
 * Keeps or leaves organizations from before the proof of the address; others stay undecided. If the person has no
 * organization afterwards, the account is deleted, so that the address can be used anew, and `session` is null.
 *
 * @throws ContractError `conflict` if an organization with other members would have no administrator
 */
export const chooseMemberships = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { choices } }): Promise<{ session: SessionAnswer | null }> => {
    const { db, identity } = ctx.services;
    const { userId, sessionId } = ctx.actor;
    const session = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::int FOR NO KEY UPDATE`;
      await requireOpenSession(tx, sessionId);
      const user = await findUser(tx, userId);
      if (!user) throw refusal('token_invalid');
      const leaves = choices.filter(({ keeps }) => !keeps).map(({ organization_id: id }) => id);
      const rest = (await findOrganizations(tx, userId)).filter(({ id }) => !leaves.includes(id));
      const organization = rest.find(({ id }) => id === ctx.orgId) ?? rest[0];
      // Before the sessions in an organization end with the membership.
      if (organization) await moveSession(tx, sessionId, organization.id);
      for (const { organization_id: orgId, keeps } of choices.toSorted(byOrganization)) {
        const role = await lockEarlierMembership(tx, orgId, userId);
        if (keeps) await keepMembership(tx, orgId, userId);
        else await leaveOrganization(tx, { orgId, author: authorOf(ctx.actor) }, { ...user, user_id: userId, role });
      }
      if (organization) return { id: sessionId, user, organization };
      await tx.$executeRaw`DELETE FROM users WHERE id = ${userId}::int`;
      return null;
    });
    identity.forgetSessions();
    if (session) return { session: await accessAnswer(ctx, session) };
    ctx.refreshCookie?.clear();
    return { session: null };
  });

type Choice = z.output<typeof input>['choices'][number];

/** Organizations are locked in the order of their ids. */
const byOrganization = (one: Choice, other: Choice) => one.organization_id - other.organization_id;

/** Locks an organization, and returns the person's role in it. @throws ContractError `not_found` if there is nothing to choose */
async function lockEarlierMembership(tx: TransactionClient, orgId: number, userId: number): Promise<Role> {
  await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${orgId}::int FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<{ role: Role }[]>`
    SELECT role FROM memberships WHERE org_id = ${orgId}::int AND user_id = ${userId}::int AND precedes_proof`;
  if (!rows[0]) throw refusal('not_found', { what: 'Organization' });
  return rows[0].role;
}

async function keepMembership(tx: TransactionClient, orgId: number, userId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE memberships SET precedes_proof = false WHERE org_id = ${orgId}::int AND user_id = ${userId}::int`;
  await sendWaitingMails(tx, userId);
}

/** Ends a membership. An organization without any member needs no administrator. */
async function leaveOrganization(tx: TransactionClient, scope: Scope, member: EndedMember): Promise<void> {
  await endMembership(tx, scope, member);
  const { orgId } = scope;
  const others = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM memberships WHERE org_id = ${orgId}::int LIMIT 1`;
  if (others.length > 0) await requireAdministrators(tx, orgId);
}
