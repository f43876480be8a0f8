import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { idField } from '../../kernel/validation/fields.js';
import { sessionProcedure } from '../../trpc.js';
import { accessAnswer } from './answer.js';
import { findOrganization, findUser, moveSession } from './queries.js';

const input = z.strictObject({ organization_id: idField('required') });

/**
 * Moves the session to another of the user's organizations. Earlier access tokens stay in their organization until they
 * expire, so that another tab writes to the organization that it shows.
 */
export const switchOrganization = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { organization_id } }) => {
    const { sessionId, userId } = ctx.actor;
    const session = await ctx.services.db.$transaction(async (tx) => {
      const organization = await findOrganization(tx, userId, organization_id);
      if (!organization) throw refusal('not_found', { what: 'Organization' });
      const isMoved = await moveSession(tx, sessionId, organization.id);
      const user = await findUser(tx, userId);
      if (!isMoved || !user) throw refusal('token_invalid');
      return { id: sessionId, user, organization };
    });
    return accessAnswer(ctx, session);
  });
