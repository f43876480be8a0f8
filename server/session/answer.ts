import type { Context } from '../context.js';
import type { TransactionClient } from '../database/client.js';
import { insertRefreshToken, insertSession, type OwnOrganization, type RefreshToken, type User } from './queries.js';

/** What the app holds after signing in: an access token for 15 minutes. The refresh token goes into the cookie alone. */
export type SessionAnswer = { token: string; user: User; organization: OwnOrganization };

/** A session as it leaves the transaction that made or renewed it. */
export type OpenSession = { id: string; user: User; organization: OwnOrganization; refresh: RefreshToken };

export async function openSession(
  tx: TransactionClient,
  user: User,
  organization: OwnOrganization,
): Promise<OpenSession> {
  const id = await insertSession(tx, user.id, organization.id);
  return { id, user, organization, refresh: await insertRefreshToken(tx, id) };
}

/** Hands a committed session over: the cookie to the browser, the access token to the app. */
export async function answerWith(ctx: Context, session: OpenSession): Promise<SessionAnswer> {
  ctx.refreshCookie?.write(session.refresh.token, session.refresh.expiresAtMs);
  return accessAnswer(ctx, session);
}

/** An access token for a session whose refresh token stays as it is. */
export async function accessAnswer(ctx: Context, session: Omit<OpenSession, 'refresh'>): Promise<SessionAnswer> {
  const { id, user, organization } = session;
  const token = await ctx.services.identity.signSession({ id, userId: user.id, orgId: organization.id });
  return {
    token,
    user: { id: user.id, name: user.name, email: user.email },
    organization: { id: organization.id, name: organization.name, role: organization.role },
  };
}
