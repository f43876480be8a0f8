import type { Database } from '../../kernel/database/client.js';
import { boundSignInThrottles } from './throttle.js';

/**
 * Deletes expired data: refresh tokens, sessions that ended or have no token left, links to choose another password,
 * and counts of failed sign-ins. Ended sessions are kept for a day for investigations.
 */
export async function removeStaleSessions(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM refresh_tokens WHERE expires_at < clock_timestamp() - interval '1 day'`;
  await db.$executeRaw`
    DELETE FROM sessions s
     WHERE s.revoked_at < clock_timestamp() - interval '1 day'
        OR (s.created_at < clock_timestamp() - interval '1 day'
            AND NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = s.id))`;
  await db.$executeRaw`DELETE FROM password_resets WHERE expires_at < clock_timestamp()`;
  await boundSignInThrottles(db);
}
