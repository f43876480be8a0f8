import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { sessionProcedure } from '../../trpc.js';
import { readOutboundPause } from '../mail/outbound-pause.js';
import { findOrganizations, findProvenAddress, findUser, renameUser } from './queries.js';

/**
 * Returns the signed-in user, the organization, the user's other organizations, whether mail and webhooks are paused, and
 * whether mail to the user waits until they confirm their address.
 */
export const me = sessionProcedure('viewer').query(async ({ ctx }) => {
  const { db, settings } = ctx.services;
  const [user, organizations, outbound_paused, proven] = await Promise.all([
    findUser(db, ctx.actor.userId),
    findOrganizations(db, ctx.actor.userId),
    readOutboundPause(db),
    findProvenAddress(db, ctx.actor.userId),
  ]);
  const organization = organizations.find(({ id }) => id === ctx.orgId);
  if (!user || !organization) throw refusal('token_invalid');
  const mail_waits = settings.mail !== undefined && proven === undefined;
  return { user, organization, organizations, outbound_paused, mail_waits };
});

const profile = z.strictObject({ name: nameField('create-string') });

/** Gives the person another name, in all their organizations. */
export const updateProfile = sessionProcedure('viewer')
  .input(profile)
  .mutation(async ({ ctx, input: { name } }) => {
    const user = await renameUser(ctx.services.db, ctx.actor.userId, name);
    if (!user) throw refusal('token_invalid');
    return { user };
  });
