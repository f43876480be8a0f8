import { z } from 'zod';
import type { Context } from '../context.js';
import { openProcedure } from '../trpc.js';
import { booleanField } from '../validation/fields.js';
import { findSessionOfRefreshToken, revokeSession, revokeSessionsOfUser } from './queries.js';

const input = z.strictObject({ everywhere: booleanField('create-default').exactOptional() }).default({});

/**
 * Ends the session of the access token and that of the cookie, whichever came; `everywhere` ends all of the person's.
 * Succeeds without either, too: who signs out is signed out.
 */
export const signOut = openProcedure.input(input).mutation(async ({ ctx, input: { everywhere = false } }) => {
  const { db, identity } = ctx.services;
  for (const session of await presentedSessions(ctx)) {
    await (everywhere ? revokeSessionsOfUser(db, session.userId) : revokeSession(db, session.id));
  }
  identity.forgetSessions();
  ctx.refreshCookie?.clear();
  return { signed_out: true as const };
});

async function presentedSessions({
  services,
  actor,
  refreshCookie,
}: Context): Promise<{ id: string; userId: number }[]> {
  const token = refreshCookie?.read();
  const ofCookie = token ? await findSessionOfRefreshToken(services.db, token) : undefined;
  const ofActor = actor.kind === 'session' ? { id: actor.sessionId, userId: actor.userId } : undefined;
  return [ofActor, ofCookie].filter((session) => session !== undefined);
}
