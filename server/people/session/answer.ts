import type { Context } from '../../context.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import type { Device } from '../auth/devices.js';
import { deviceOf, devicePerson } from './device.js';
import {
  hasEarlierMemberships,
  insertRefreshToken,
  insertSession,
  type OwnOrganization,
  type RefreshToken,
  type User,
} from './queries.js';

/** The app's data after signing in: an access token for 15 minutes. The refresh token is only in the cookie. */
export type SessionAnswer = {
  token: string;
  user: User;
  organization: OwnOrganization;
  /** Whether the person has to choose about organizations from before the proof of the address. */
  has_earlier_memberships: boolean;
};

/** A session after the transaction that opened or renewed it. */
export type OpenSession = {
  id: string;
  user: User;
  organization: OwnOrganization;
  refresh: RefreshToken;
  /** Undefined if the caller keeps no cookies. */
  device?: Device;
};

/** Opens a session of a user in an organization, on the device that the request comes from. */
export async function openSession(
  tx: TransactionClient,
  ctx: Context,
  { user, organization }: Pick<OpenSession, 'user' | 'organization'>,
): Promise<OpenSession> {
  const device = deviceOf(ctx);
  const id = await insertSession(tx, { userId: user.id, orgId: organization.id, deviceId: device?.id });
  const session = { id, user, organization, refresh: await insertRefreshToken(tx, id) };
  return device ? { ...session, device } : session;
}

/** Returns a committed session: sets the cookies, and returns the access token. */
export async function answerWith(ctx: Context, session: OpenSession): Promise<SessionAnswer> {
  const { device, refresh, user } = session;
  const { db, identity } = ctx.services;
  ctx.refreshCookie?.write(refresh.token, refresh.expiresAtMs);
  if (device && ctx.deviceCookie) {
    ctx.deviceCookie.write(identity.devices.cookieFor(device, await devicePerson(db, user.email)));
  }
  return accessAnswer(ctx, session);
}

/** Returns an access token for a session whose refresh token stays unchanged. */
export async function accessAnswer(
  ctx: Context,
  session: Pick<OpenSession, 'id' | 'user' | 'organization'>,
): Promise<SessionAnswer> {
  const { id, user, organization } = session;
  const { db, identity } = ctx.services;
  const token = await identity.signSession({ id, userId: user.id, orgId: organization.id });
  return {
    token,
    user: { id: user.id, name: user.name, email: user.email },
    organization: { id: organization.id, name: organization.name, role: organization.role },
    has_earlier_memberships: await hasEarlierMemberships(db, user.id),
  };
}
