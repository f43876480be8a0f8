import type { Database } from '../database/client.js';
import type { Role } from './scopes.js';

export type ApiKeyRow = {
  org_id: number | null;
  scopes: string[];
  expires_at: number | null;
  is_revoked: boolean;
  /** The stored time of its last use is more than a minute old. */
  is_use_due: boolean;
};

export async function findApiKey(db: Database, keyId: string): Promise<ApiKeyRow | undefined> {
  const rows = await db.$queryRaw<ApiKeyRow[]>`
    SELECT org_id, scopes,
           (extract(epoch FROM expires_at) * 1000)::float8 AS expires_at,
           revoked_at IS NOT NULL AS is_revoked,
           (last_used_at IS NULL OR last_used_at <= clock_timestamp() - interval '1 minute') AS is_use_due
      FROM api_keys
     WHERE id = ${keyId}::uuid`;
  return rows[0];
}

/**
 * Returns the present role of a session's user in an organization; undefined if the session has ended or the membership
 * is gone.
 */
export async function findSessionRole(
  db: Database,
  session: { sessionId: string; userId: number; orgId: number },
): Promise<Role | undefined> {
  const rows = await db.$queryRaw<{ role: Role }[]>`
    SELECT m.role
      FROM sessions s
      JOIN memberships m ON m.user_id = s.user_id AND m.org_id = ${session.orgId}::int
     WHERE s.id = ${session.sessionId}::uuid
       AND s.user_id = ${session.userId}::int
       AND s.revoked_at IS NULL`;
  return rows[0]?.role;
}

type SessionKey = { sessionId: string; userId: number; orgId: number };

/** Returns those of the sessions that are still valid, with one index lookup each. */
export async function findHoldingSessions<Session extends SessionKey>(
  db: Pick<Database, '$queryRaw'>,
  sessions: readonly Session[],
): Promise<Set<Session>> {
  const rows = await db.$queryRaw<{ place: number }[]>`
    SELECT g.place::int AS place
      FROM unnest(
             ${sessions.map(({ sessionId }) => sessionId)}::uuid[],
             ${sessions.map(({ userId }) => userId)}::int[],
             ${sessions.map(({ orgId }) => orgId)}::int[]
           ) WITH ORDINALITY AS g (session_id, user_id, org_id, place)
      JOIN sessions s ON s.id = g.session_id AND s.user_id = g.user_id AND s.revoked_at IS NULL
      JOIN memberships m ON m.user_id = g.user_id AND m.org_id = g.org_id`;
  return new Set(rows.flatMap(({ place }) => sessions[place - 1] ?? []));
}
