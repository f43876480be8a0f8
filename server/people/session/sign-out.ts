import { z } from 'zod';
import { booleanField } from '../../kernel/validation/fields.js';
import { openProcedure } from '../../trpc.js';
import { revokeSession, revokeSessionsOfUser } from './queries.js';

const input = z.strictObject({ everywhere: booleanField('create-default').exactOptional() }).prefault({});

/**
 * Ends the session of the access token, or with `everywhere` all of the user's, and clears the cookie. Without a token
 * it only clears the cookie: the refresh token is sent only to its own path, so a client with an expired access token
 * renews it first.
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
