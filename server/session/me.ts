import { ContractError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import { findOrganizations, findUser } from './queries.js';

/** Returns the signed-in user, the organization, and the user's other organizations. */
export const me = sessionProcedure('viewer').query(async ({ ctx }) => {
  const { db } = ctx.services;
  const [user, organizations] = await Promise.all([
    findUser(db, ctx.actor.userId),
    findOrganizations(db, ctx.actor.userId),
  ]);
  const organization = organizations.find(({ id }) => id === ctx.orgId);
  if (!user || !organization) throw new ContractError('unauthorized', 'Invalid or expired token');
  return { user, organization, organizations };
});
