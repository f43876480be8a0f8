import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { devicesMax, type NewDevice } from './schemas.js';

type Person = { userId: number };

/** Returns a person's devices that are signed in. */
export async function findDevices(
  db: Queries,
  orgId: number,
  { userId }: Person,
): Promise<{ id: number; endpoint: string }[]> {
  return db.$queryRaw<{ id: number; endpoint: string }[]>`
    SELECT p.id, p.endpoint FROM push_subscriptions p
     WHERE p.org_id = ${orgId}::int AND p.user_id = ${userId}::int AND ${isSignedIn}`;
}

/** The session with which the device was subscribed has not ended. */
const isSignedIn = Prisma.sql`
  EXISTS (SELECT FROM sessions s WHERE s.id = p.session_id AND s.user_id = p.user_id AND s.revoked_at IS NULL)`;

/**
 * Stores a device of a person, and removes it from the person who used it before. Removes the oldest devices beyond the
 * maximum.
 */
export async function storeDevice(
  tx: TransactionClient,
  orgId: number,
  { userId, sessionId, keyId, device }: Person & { sessionId: string; keyId: string; device: NewDevice },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO push_subscriptions (org_id, user_id, session_id, endpoint, p256dh, auth, key_id, created_at)
    VALUES (${orgId}::int, ${userId}::int, ${sessionId}::uuid, ${device.endpoint}, ${device.p256dh}, ${device.auth}, ${keyId},
            ${currentInstant})
    ON CONFLICT (org_id, endpoint) DO UPDATE
       SET user_id = EXCLUDED.user_id, session_id = EXCLUDED.session_id, p256dh = EXCLUDED.p256dh, auth = EXCLUDED.auth,
           key_id = EXCLUDED.key_id, created_at = EXCLUDED.created_at`;
  await tx.$executeRaw`
    DELETE FROM push_subscriptions
     WHERE id IN (SELECT p.id FROM push_subscriptions p
                   WHERE p.org_id = ${orgId}::int AND p.user_id = ${userId}::int
                   ORDER BY p.created_at DESC, p.id DESC
                  OFFSET ${devicesMax}::int)`;
}

export async function removeEndpoint(
  db: Queries,
  orgId: number,
  { userId, endpoint }: Person & { endpoint: string },
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM push_subscriptions
     WHERE org_id = ${orgId}::int AND user_id = ${userId}::int AND endpoint = ${endpoint}`;
}

/** A device to send to. */
export type Device = { id: number; endpoint: string; p256dh: string; auth: string; key_id: string };

/** Returns a device of a member that is signed in. */
export async function findDevice(db: Queries, orgId: number, { id }: { id: number }): Promise<Device | undefined> {
  const rows = await db.$queryRaw<Device[]>`
    SELECT p.id, p.endpoint, p.p256dh, p.auth, p.key_id FROM push_subscriptions p
     WHERE p.org_id = ${orgId}::int AND p.id = ${id}::int AND ${isSignedIn}`;
  return rows[0];
}

export async function removeDevice(
  db: Queries,
  orgId: number,
  { id, endpoint }: Pick<Device, 'id' | 'endpoint'>,
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM push_subscriptions WHERE org_id = ${orgId}::int AND id = ${id}::int AND endpoint = ${endpoint}`;
}

/** Returns which of the members have a device. */
export async function findPushed(
  tx: Queries,
  recipients: readonly { orgId: number; userId: number }[],
): Promise<{ orgId: number; userId: number }[]> {
  return tx.$queryRaw<{ orgId: number; userId: number }[]>`
    SELECT DISTINCT p.org_id AS "orgId", p.user_id AS "userId"
      FROM push_subscriptions p
      JOIN unnest(${recipients.map(({ orgId }) => orgId)}::int[], ${recipients.map(({ userId }) => userId)}::int[])
           AS g (org_id, user_id) ON g.org_id = p.org_id AND g.user_id = p.user_id`;
}
