import type { TransactionClient } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { system } from '../activity/author.js';
import { revokeKeysOf } from '../api-keys/queries.js';
import type { Identity } from '../auth/identity.js';
import { sendWaitingMails } from '../mail/address-proven.js';
import { removeResetOf } from './reset-queries.js';

/** The result of a proof that a person owns the address of an account. */
export type ProvenAddress = {
  /** Whether nobody had proven the address before. */
  isFirst: boolean;
  /** The API keys that were revoked. */
  revokedKeys: readonly string[];
};

/**
 * Records that the owner of an account's address has proven it, and locks the user until the end of the transaction.
 *
 * Anybody can make an account with the address of another person. So the first proof removes all means to use the
 * account that were created before it: the password, identities at providers, sessions, links to choose another
 * password, open invitations, and the API keys that the account created. Devices that had signed in count as unknown
 * again, since `devicePerson` depends on the proof. The person chooses which organizations to keep: `earlier-memberships.ts`.
 *
 * @param keepsAll whether to keep everything, because the person has proven in the same step that the account is
 * theirs, by its password or by a connected identity
 */
export async function proveAddress(
  tx: TransactionClient,
  userId: number,
  { keepsAll }: { keepsAll: boolean },
): Promise<ProvenAddress> {
  const rows = await tx.$queryRaw<{ is_proven: boolean }[]>`
    SELECT email_proven_at IS NOT NULL AS is_proven FROM users WHERE id = ${userId}::int FOR NO KEY UPDATE`;
  if (rows[0]?.is_proven !== false) return { isFirst: false, revokedKeys: [] };
  await tx.$executeRaw`
    UPDATE users
       SET email_proven_at = ${currentInstant},
           password_hash = CASE WHEN ${keepsAll} THEN password_hash END
     WHERE id = ${userId}::int`;
  await sendWaitingMails(tx, userId);
  return { isFirst: true, revokedKeys: keepsAll ? [] : await removeMeans(tx, userId) };
}

/**
 * Removes all means to use an account. Deletes identities before sessions: a running sign-on locks its identity, so
 * once the identity can be deleted, the session of the sign-on exists and can be deleted too. Sessions come before
 * keys, as in `createApiKey`.
 */
async function removeMeans(tx: TransactionClient, userId: number): Promise<string[]> {
  await tx.$executeRaw`DELETE FROM sign_on_identities WHERE user_id = ${userId}::int`;
  await tx.$executeRaw`DELETE FROM sessions WHERE user_id = ${userId}::int`;
  await removeResetOf(tx, userId);
  await tx.$executeRaw`
    UPDATE invitations i
       SET revoked_at = ${currentInstant}
     WHERE i.invited_by = ${userId}::int
       AND i.accepted_at IS NULL
       AND i.revoked_at IS NULL`;
  const organizations = await tx.$queryRaw<{ org_id: number }[]>`
    SELECT DISTINCT k.org_id
      FROM api_keys k
     WHERE k.created_by = ${userId}::int
       AND k.revoked_at IS NULL
     ORDER BY k.org_id`;
  await tx.$executeRaw`UPDATE memberships SET precedes_proof = true WHERE user_id = ${userId}::int`;
  const revoked: string[] = [];
  for (const { org_id: orgId } of organizations) {
    revoked.push(...(await revokeKeysOf(tx, { orgId, author: system }, userId)));
  }
  return revoked;
}

/** Makes a committed proof effective from the next request on. */
export function forgetRemoved(identity: Identity, { isFirst, revokedKeys }: ProvenAddress): void {
  if (isFirst) identity.forgetSessions();
  for (const id of revokedKeys) identity.forgetApiKey(id);
}
