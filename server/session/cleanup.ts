import type { Database } from '../database/client.js';
import { removeOldResets } from './reset-queries.js';
import { boundSignInThrottles } from './throttle.js';

/**
 * Removes what no longer decides anything: refresh tokens that have expired, sessions that ended or have no token left,
 * links to choose another password that are over, and counts of failed sign-ins whose window is over. Sessions are kept for a day for those who look into what happened.
 */
export async function removeStaleSessions(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM refresh_tokens WHERE expires_at < clock_timestamp() - interval '1 day'`;
  await db.$executeRaw`
    DELETE FROM sessions s
     WHERE s.revoked_at < clock_timestamp() - interval '1 day'
        OR (s.created_at < clock_timestamp() - interval '1 day'
            AND NOT EXISTS (SELECT FROM refresh_tokens t WHERE t.session_id = s.id))`;
  await removeOldResets(db);
  await boundSignInThrottles(db);
}
