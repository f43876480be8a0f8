import type { Database, TransactionClient } from '../database/client.js';
import { currentInstant, epochMs } from '../database/columns.js';
import type { User } from '../session/queries.js';
import type { Proof } from './proof.js';

type Queries = Pick<Database, '$queryRaw' | '$executeRaw'>;

type Identity = Pick<Proof, 'issuer' | 'subject'>;

/** Returns the user connected to an identity, and records the use; undefined if there is none. */
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
export type Account = User & { has_password: boolean; subject: string | null };

/** Returns the account of an address. `subject` is that of its identity of the issuer; null without one. */
export async function findAccount(
  tx: TransactionClient,
  { email, issuer }: { email: string; issuer: string },
): Promise<Account | undefined> {
  const rows = await tx.$queryRaw<Account[]>`
    SELECT u.id, u.name, u.email, u.password_hash IS NOT NULL AS has_password,
           (SELECT i.subject FROM sign_on_identities i WHERE i.user_id = u.id AND i.issuer = ${issuer}) AS subject
      FROM users u
     WHERE u.email = ${email}`;
  return rows[0];
}

/** How a person signs in; `connected_at` is in epoch milliseconds, null without a single sign-on. */
export type SignInMeans = { has_password: boolean; connected_at: number | null };

export async function findMeans(db: Queries, userId: number): Promise<SignInMeans | undefined> {
  const rows = await db.$queryRaw<SignInMeans[]>`
    SELECT u.password_hash IS NOT NULL AS has_password,
           (SELECT ${epochMs('min(i.created_at)')} FROM sign_on_identities i WHERE i.user_id = u.id) AS connected_at
      FROM users u
     WHERE u.id = ${userId}::int`;
  return rows[0];
}

/** Disconnects a user from all identities, if they have a password. Returns how many there were. */
export async function deleteIdentities(db: Queries, userId: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM sign_on_identities i
     USING users u
     WHERE i.user_id = ${userId}::int
       AND u.id = i.user_id
       AND u.password_hash IS NOT NULL`;
}

/** Disconnects a user from all identities, with or without a password. Returns how many there were. */
export async function disconnectIdentities(db: Queries, userId: number): Promise<number> {
  return db.$executeRaw`DELETE FROM sign_on_identities WHERE user_id = ${userId}::int`;
}
