import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import { sessionProcedure } from '../../trpc.js';
import { findEndpoints } from '../webhooks/endpoint-queries.js';

/** The options of the form for rules. */
export type RuleOptions = {
  /** Whether email can be sent; otherwise the recipients of a rule are kept but get nothing. */
  email_configured: boolean;
  /**
   * `email` is null for managers, since only administrators see the list of members. Emails to a member wait until the
   * address `is_proven`.
   */
  members: { user_id: number; name: string; email: string | null; is_proven: boolean }[];
  endpoints: { id: number; name: string; is_enabled: boolean }[];
};

const membersMax = 1000;

/**
 * Returns who can be notified by a rule, and whether email is configured. Managers see the names of members and endpoints,
 * not their addresses.
 */
export const ruleOptions = sessionProcedure('manager').query(async ({ ctx }): Promise<RuleOptions> => {
  const { db, settings } = ctx.services;
  return {
    email_configured: settings.mail !== undefined,
    members: await membersOf(db, ctx.orgId, ctx.actor.role === 'admin'),
    endpoints: (await findEndpoints(db, ctx.orgId)).map(({ id, name, is_enabled }) => ({ id, name, is_enabled })),
  };
});

async function membersOf(db: Database, orgId: number, withEmail: boolean): Promise<RuleOptions['members']> {
  return db.$queryRaw<RuleOptions['members']>`
    SELECT m.user_id, u.name, CASE WHEN ${withEmail} THEN u.email END AS email,
           u.email_proven_at IS NOT NULL AS is_proven
      FROM memberships m
      JOIN users u ON u.id = m.user_id
     WHERE m.org_id = ${orgId}::int
     ORDER BY ${inNaturalOrder('u.name')}, m.user_id
     LIMIT ${membersMax}::int`;
}
