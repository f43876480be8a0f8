import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { hashToken } from '../auth/random-token.js';
import type { User } from './queries.js';

/** How long a link is valid. */
export const resetMinutes = 60;

/** Stores the link of a user, and replaces the previous one. */
export async function storeReset(db: Queries, userId: number, token: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO password_resets (user_id, token_hash, expires_at)
    VALUES (${userId}::int, ${hashToken(token)}, ${currentInstant} + make_interval(mins => ${resetMinutes}::int))
    ON CONFLICT (user_id) DO UPDATE SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at`;
}

export async function hasReset(db: Queries, token: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM password_resets
     WHERE token_hash = ${hashToken(token)} AND expires_at > clock_timestamp()`;
  return rows.length > 0;
}

/**
 * Uses a link. Returns undefined if it is unknown, used or expired; the second of two concurrent callers also gets
 * undefined.
 */
export async function takeReset(tx: TransactionClient, token: string): Promise<User | undefined> {
  // Locks the user before the link, like all other code that deletes a link.
  await tx.$queryRaw`
    SELECT u.id
      FROM password_resets r
      JOIN users u ON u.id = r.user_id
     WHERE r.token_hash = ${hashToken(token)}
       FOR NO KEY UPDATE OF u`;
  const rows = await tx.$queryRaw<User[]>`
    DELETE FROM password_resets r
     USING users u
     WHERE r.token_hash = ${hashToken(token)} AND r.expires_at > clock_timestamp() AND u.id = r.user_id
    RETURNING u.id, u.name, u.email`;
  return rows[0];
}

export async function setPassword(tx: TransactionClient, userId: number, passwordHash: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}::int`;
}

/** Deletes the link of a user who has changed the password in another way. */
export async function removeResetOf(tx: TransactionClient, userId: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM password_resets WHERE user_id = ${userId}::int`;
}
