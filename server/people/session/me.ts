import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { sessionProcedure } from '../../trpc.js';
import { readOutboundPause } from '../mail/outbound-pause.js';
import { findOrganizations, findUser, renameUser } from './queries.js';

/** Returns the signed-in user, the organization, the user's other organizations, and whether mail and webhooks are paused. */
export const me = sessionProcedure('viewer').query(async ({ ctx }) => {
  const { db } = ctx.services;
  const [user, organizations, outbound_paused] = await Promise.all([
    findUser(db, ctx.actor.userId),
    findOrganizations(db, ctx.actor.userId),
    readOutboundPause(db),
  ]);
  const organization = organizations.find(({ id }) => id === ctx.orgId);
  if (!user || !organization) throw refusal('token_invalid');
  return { user, organization, organizations, outbound_paused };
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
