import { z } from 'zod';
import { openProcedure } from '../trpc.js';
import { booleanField } from '../validation/fields.js';
import { revokeSession, revokeSessionsOfUser } from './queries.js';

const input = z.strictObject({ everywhere: booleanField('create-default').exactOptional() }).prefault({});

/**
 * Ends the session of the access token, or with `everywhere` all of the person's, and clears the cookie. Without a token
 * there is only the cookie to clear: the refresh token is sent to its own path alone, so whoever comes with an access
 * token that has expired renews it first.
 */
export const signOut = openProcedure.input(input).mutation(async ({ ctx, input: { everywhere = false } }) => {
  const { actor, services } = ctx;
  if (actor.kind === 'session') {
    await (everywhere ? revokeSessionsOfUser(services.db, actor.userId) : revokeSession(services.db, actor.sessionId));
    services.identity.forgetSessions();
  }
  ctx.refreshCookie?.clear();
  return { signed_out: true as const };
});
