import { sessionProcedure } from '../trpc.js';
import { revokeSessionsOfUser } from './queries.js';

/** Ends all of the person's sessions, this one too. Unlike `signOut` it says so if it cannot, and is to be tried again. */
export const signOutEverywhere = sessionProcedure('viewer').mutation(async ({ ctx }) => {
  const { db, identity } = ctx.services;
  await revokeSessionsOfUser(db, ctx.actor.userId);
  identity.forgetSessions();
  ctx.refreshCookie?.clear();
  return { signed_out: true as const };
});
