import type { Database, Queries } from '../../kernel/database/client.js';
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

type SessionKey = { sessionId: string; userId: number; orgId: number };

/**
 * Returns the sessions that are still valid, with one index lookup each: the present role of the user in the
 * organization.
 */
export async function findHoldingSessions<Session extends SessionKey>(
  db: Queries,
  sessions: readonly Session[],
): Promise<Map<Session, Role>> {
  const rows = await db.$queryRaw<{ ordinal: number; role: Role }[]>`
    SELECT g.ordinal::int AS ordinal, m.role
      FROM unnest(
             ${sessions.map(({ sessionId }) => sessionId)}::uuid[],
             ${sessions.map(({ userId }) => userId)}::int[],
             ${sessions.map(({ orgId }) => orgId)}::int[]
           ) WITH ORDINALITY AS g (session_id, user_id, org_id, ordinal)
      JOIN sessions s ON s.id = g.session_id AND s.user_id = g.user_id AND s.revoked_at IS NULL
      JOIN memberships m ON m.user_id = g.user_id AND m.org_id = g.org_id`;
  const holding = new Map<Session, Role>();
  for (const { ordinal, role } of rows) {
    const session = sessions[ordinal - 1];
    if (session) holding.set(session, role);
  }
  return holding;
}
