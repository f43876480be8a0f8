import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs } from '../../kernel/database/columns.js';
import type { User } from '../session/queries.js';
import type { Proof } from './proof.js';

type Identity = Pick<Proof, 'issuer' | 'subject'>;

/** Returns the user connected to an identity; undefined if there is none. */
export async function findIdentityUser(
  tx: TransactionClient,
  { issuer, subject }: Identity,
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ user_id: number }[]>`
    SELECT user_id FROM sign_on_identities WHERE issuer = ${issuer} AND subject = ${subject}`;
  return rows[0]?.user_id;
}

/**
 * Returns the user connected to an identity, and records the use; undefined if there is none. The caller must have
 * locked the user before, like all code that removes identities.
 */
export async function useIdentity(tx: TransactionClient, { issuer, subject }: Identity): Promise<User | undefined> {
  const rows = await tx.$queryRaw<User[]>`
    UPDATE sign_on_identities i
       SET last_used_at = ${currentInstant}
      FROM users u
     WHERE i.issuer = ${issuer}
       AND i.subject = ${subject}
       AND u.id = i.user_id
    RETURNING u.id, u.name, u.email`;
  return rows[0];
}

/**
 * Connects an identity to a user. Returns false if it is connected already, or the user is connected to another
 * identity of the issuer.
 */
export async function insertIdentity(
  tx: TransactionClient,
  userId: number,
  { issuer, subject }: Identity,
): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    INSERT INTO sign_on_identities (issuer, subject, user_id, created_at, last_used_at)
    VALUES (${issuer}, ${subject}, ${userId}::int, ${currentInstant}, ${currentInstant})
    ON CONFLICT DO NOTHING`;
  return inserted > 0;
}

/** An account found by its address. */
export type Account = User & { has_password: boolean; is_proven: boolean; subject: string | null };

/** Locks a user until the end of the transaction. */
export async function lockUser(tx: TransactionClient, userId: number): Promise<void> {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::int FOR NO KEY UPDATE`;
}

/**
 * Returns the account of an address, and locks it until the end of the transaction. `subject` identifies it at
 * the issuer; null without an identity there.
 */
export async function lockAccount(
  tx: TransactionClient,
  { email, issuer }: { email: string; issuer: string },
): Promise<Account | undefined> {
  // The user is locked first, so that identities are read as they are afterwards.
  await tx.$queryRaw`SELECT id FROM users WHERE email = ${email} FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<Account[]>`
    SELECT u.id, u.name, u.email, u.password_hash IS NOT NULL AS has_password,
           u.email_proven_at IS NOT NULL AS is_proven,
           (SELECT i.subject FROM sign_on_identities i WHERE i.user_id = u.id AND i.issuer = ${issuer}) AS subject
      FROM users u
     WHERE u.email = ${email}`;
  return rows[0];
}

/** Returns the account of a signed-in user, and locks it until the end of the transaction. */
export async function findOwnAccount(
  tx: TransactionClient,
  userId: number,
): Promise<{ email: string; is_proven: boolean }> {
  const rows = await tx.$queryRaw<[{ email: string; is_proven: boolean }]>`
    SELECT email, email_proven_at IS NOT NULL AS is_proven FROM users WHERE id = ${userId}::int FOR NO KEY UPDATE`;
  return rows[0];
}

/** How a person signs in; `connected_at` is in epoch milliseconds, null without a single sign-on. */
export type SignInMeans = { has_password: boolean; is_email_proven: boolean; connected_at: number | null };

export async function findMeans(db: Queries, userId: number): Promise<SignInMeans | undefined> {
  const rows = await db.$queryRaw<SignInMeans[]>`
    SELECT u.password_hash IS NOT NULL AS has_password,
           u.email_proven_at IS NOT NULL AS is_email_proven,
           (SELECT ${epochMs('min(i.created_at)')} FROM sign_on_identities i WHERE i.user_id = u.id) AS connected_at
      FROM users u
     WHERE u.id = ${userId}::int`;
  return rows[0];
}

/**
 * Disconnects a user from all identities; with `keepsLastMeans` only if they have a password. Returns how many there were.
 */
export async function disconnectIdentities(
  db: Queries,
  userId: number,
  { keepsLastMeans = false }: { keepsLastMeans?: boolean } = {},
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sign_on_identities i
     USING users u
     WHERE i.user_id = ${userId}::int
       AND u.id = i.user_id
       AND (u.password_hash IS NOT NULL OR NOT ${keepsLastMeans})`;
}
