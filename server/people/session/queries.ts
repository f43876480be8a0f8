import { randomUUID } from 'node:crypto';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import { currentInstant, epochMs, inNaturalOrder, instant } from '../../kernel/database/columns.js';
import { refusal } from '../../kernel/errors.js';
import { hashToken, randomToken } from '../auth/random-token.js';
import type { Role } from '../auth/scopes.js';

/** The lifetime of an unused refresh token. */
const refreshTokenMs = 30 * 24 * 60 * 60 * 1000;

export type User = { id: number; name: string; email: string };

/** An organization of the user. */
export type OwnOrganization = { id: number; name: string; role: Role };

/** A refresh token in plain text, for the cookie. */
export type RefreshToken = { token: string; expiresAtMs: number };

/** A user with their password hash; null for people who only sign in by single sign-on. */
export type Credentials = User & { password_hash: string | null };

export async function findCredentials(db: Queries, email: string): Promise<Credentials | undefined> {
  const rows = await db.$queryRaw<Credentials[]>`
    SELECT id, name, email, password_hash FROM users WHERE email = ${email}`;
  return rows[0];
}

export type NewUser = {
  name: string;
  email: string;
  /** Null for people who only sign in by single sign-on. */
  passwordHash: string | null;
  /** Whether the person has proven that the address is theirs. */
  isProven: boolean;
};

/** Inserts a user. Returns undefined if the address is taken. */
export async function insertUser(
  tx: Queries,
  { name, email, passwordHash, isProven }: NewUser,
): Promise<User | undefined> {
  const rows = await tx.$queryRaw<User[]>`
    INSERT INTO users (email, name, password_hash, created_at, email_proven_at)
    VALUES (${email}, ${name}, ${passwordHash}, ${currentInstant},
            CASE WHEN ${isProven} THEN ${currentInstant} END)
    ON CONFLICT (email) DO NOTHING
    RETURNING id, name, email`;
  return rows[0];
}

/**
 * Locks a user's password until the end of the transaction, so that a password change sees the sessions that the
 * transaction opens. Returns whether the given hash is still the stored one.
 */
export async function lockPassword(tx: Queries, userId: number, passwordHash: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS held FROM users WHERE id = ${userId}::int AND password_hash = ${passwordHash} FOR SHARE`;
  return rows.length > 0;
}

/** Returns whether the old password was still the given one. */
export async function replacePassword(
  tx: Queries,
  userId: number,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE users
       SET password_hash = ${to}
     WHERE id = ${userId}::int
       AND password_hash = ${from}`;
  return changed > 0;
}

export async function renameUser(db: Queries, userId: number, name: string): Promise<User | undefined> {
  const rows = await db.$queryRaw<User[]>`
    UPDATE users
       SET name = ${name}
     WHERE id = ${userId}::int
    RETURNING id, name, email`;
  return rows[0];
}

export async function findUser(db: Queries, userId: number): Promise<User | undefined> {
  const rows = await db.$queryRaw<User[]>`SELECT id, name, email FROM users WHERE id = ${userId}::int`;
  return rows[0];
}

/**
 * Returns the address of a user; undefined if nobody has proven it. Other mail than to prove an address, to choose a
 * password or to invite goes only to proven addresses, because anybody can make an account with another person's address.
 */
export async function findProvenAddress(db: Queries, userId: number): Promise<string | undefined> {
  const rows = await db.$queryRaw<{ email: string }[]>`
    SELECT email FROM users WHERE id = ${userId}::int AND email_proven_at IS NOT NULL`;
  return rows[0]?.email;
}

const ownOrganization = Prisma.sql`
  SELECT o.id, o.name, m.role
    FROM memberships m
    JOIN organizations o ON o.id = m.org_id`;

/** Returns a user's organizations, by name. */
export async function findOrganizations(db: Queries, userId: number): Promise<OwnOrganization[]> {
  return db.$queryRaw<OwnOrganization[]>`
    ${ownOrganization}
     WHERE m.user_id = ${userId}::int
     ORDER BY ${inNaturalOrder('o.name')}, o.id`;
}

/** Returns one of a user's organizations. */
export async function findOrganization(
  db: Queries,
  userId: number,
  orgId: number,
): Promise<OwnOrganization | undefined> {
  const rows = await db.$queryRaw<OwnOrganization[]>`
    ${ownOrganization}
     WHERE m.user_id = ${userId}::int
       AND m.org_id = ${orgId}::int`;
  return rows[0];
}

/** Returns the organization of a user's latest session, or else the organization that the user joined first. */
export async function findHomeOrganization(db: Queries, userId: number): Promise<OwnOrganization | undefined> {
  const rows = await db.$queryRaw<OwnOrganization[]>`
    ${ownOrganization}
     WHERE m.user_id = ${userId}::int
     ORDER BY (SELECT max(s.created_at) FROM sessions s WHERE s.user_id = m.user_id AND s.org_id = m.org_id) DESC NULLS LAST,
              m.created_at, o.id
     LIMIT 1`;
  return rows[0];
}

/** Returns whether a person has to choose about organizations of the account from before the proof of its address. */
export async function hasEarlierMemberships(db: Queries, userId: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM memberships WHERE user_id = ${userId}::int AND precedes_proof LIMIT 1`;
  return rows.length > 0;
}

/** `deviceId` is missing if the caller keeps no cookies. */
export type NewSession = { userId: number; orgId: number; deviceId: string | undefined };

/** Open sessions of one user; if there are more, the oldest one ends. */
export const sessionsPerPersonMax = 100;

export async function insertSession(tx: Queries, { userId, orgId, deviceId }: NewSession): Promise<string> {
  const sessionId = randomUUID();
  await tx.$executeRaw`
    DELETE FROM sessions
     WHERE id IN (SELECT id
                    FROM sessions
                   WHERE user_id = ${userId}::int
                   ORDER BY created_at DESC, id
                  OFFSET ${sessionsPerPersonMax - 1}::int
                     FOR UPDATE SKIP LOCKED)`;
  await tx.$executeRaw`
    INSERT INTO sessions (id, user_id, org_id, device_id, created_at)
    VALUES (${sessionId}::uuid, ${userId}::int, ${orgId}::int, ${deviceId ?? null}, ${currentInstant})`;
  return sessionId;
}

/**
 * Stores the hash of a session's next refresh token, and returns the token in plain text.
 *
 * @param next the token; a random one if left out
 */
export async function insertRefreshToken(
  tx: Queries,
  sessionId: string,
  next: { token: string; isSuccessor: boolean } = { token: randomToken(), isSuccessor: false },
): Promise<RefreshToken> {
  const { token, isSuccessor } = next;
  const expiresAtMs = Date.now() + refreshTokenMs;
  await tx.$executeRaw`
    INSERT INTO refresh_tokens (token_hash, session_id, is_successor, issued_at, expires_at)
    VALUES (${hashToken(token)}, ${sessionId}::uuid, ${isSuccessor}, ${currentInstant}, ${instant(expiresAtMs)})`;
  return { token, expiresAtMs };
}

export type RefreshTokenRow = {
  session_id: string;
  user_id: number;
  org_id: number;
  /** Null for a session without a device. */
  device_id: string | null;
  is_over: boolean;
  /** Whether the token replaced another one, rather than starting the session. */
  is_successor: boolean;
  /** Milliseconds since it was issued. */
  age: number;
  /** Epoch milliseconds. */
  expires_at: number;
  /** Milliseconds since its use; null if it is still unused. */
  used_for: number | null;
};

/**
 * Reads the token and its session, and locks both until the end of the transaction, so that requests are serialized.
 */
export async function lockRefreshToken(tx: Queries, token: string): Promise<RefreshTokenRow | undefined> {
  const rows = await tx.$queryRaw<RefreshTokenRow[]>`
    SELECT s.id::text AS session_id, s.user_id, s.org_id, s.device_id, t.is_successor,
           (s.revoked_at IS NOT NULL OR t.expires_at <= clock_timestamp()) AS is_over,
           ${epochMs('clock_timestamp()')} - ${epochMs('t.issued_at')} AS age,
           ${epochMs('t.expires_at')} AS expires_at,
           ${epochMs('clock_timestamp()')} - ${epochMs('t.used_at')} AS used_for
      FROM refresh_tokens t
      JOIN sessions s ON s.id = t.session_id
     WHERE t.token_hash = ${hashToken(token)}
       FOR UPDATE OF t, s`;
  return rows[0];
}

/** Moves a session to another organization of its user. Returns false if the session has ended. */
export async function moveSession(tx: Queries, sessionId: string, orgId: number): Promise<boolean> {
  const moved = await tx.$executeRaw`
    UPDATE sessions SET org_id = ${orgId}::int WHERE id = ${sessionId}::uuid AND revoked_at IS NULL`;
  return moved > 0;
}

/** Returns the first of the tokens that exists, used or not. */
export async function findExistingToken(tx: Queries, tokens: readonly string[]): Promise<string | undefined> {
  const hashes = tokens.map(hashToken);
  const rows = await tx.$queryRaw<{ token_hash: string }[]>`
    SELECT token_hash FROM refresh_tokens WHERE token_hash = ANY(${hashes}::text[])`;
  return tokens.find((_, index) => rows.some(({ token_hash }) => token_hash === hashes[index]));
}

export async function useRefreshToken(tx: Queries, token: string): Promise<void> {
  await tx.$executeRaw`UPDATE refresh_tokens SET used_at = ${currentInstant} WHERE token_hash = ${hashToken(token)}`;
}

export async function revokeSession(db: Queries, sessionId: string): Promise<void> {
  await db.$executeRaw`
    WITH devices AS (DELETE FROM push_subscriptions WHERE session_id = ${sessionId}::uuid)
    UPDATE sessions SET revoked_at = ${currentInstant} WHERE id = ${sessionId}::uuid AND revoked_at IS NULL`;
}

export async function revokeSessionsOfUser(db: Queries, userId: number): Promise<void> {
  await db.$executeRaw`
    WITH devices AS (DELETE FROM push_subscriptions WHERE session_id IN (SELECT id FROM sessions WHERE user_id = ${userId}::int))
    UPDATE sessions SET revoked_at = ${currentInstant} WHERE user_id = ${userId}::int AND revoked_at IS NULL`;
}

/**
 * Locks a session until the end of the transaction. Otherwise the session could create credentials that a proof of the
 * address, or the end of the session, would have to remove. If both are locked, lock the user first.
 *
 * @throws ContractError `unauthorized` if it has ended, which other processes notice only within a second
 */
export async function requireOpenSession(tx: Queries, sessionId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS held FROM sessions WHERE id = ${sessionId}::uuid AND revoked_at IS NULL FOR SHARE`;
  if (rows.length === 0) throw refusal('token_invalid');
}

/** Ends all of a user's sessions but one. */
export async function revokeOtherSessions(db: Queries, userId: number, sessionId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE sessions
       SET revoked_at = ${currentInstant}
     WHERE user_id = ${userId}::int
       AND id <> ${sessionId}::uuid
       AND revoked_at IS NULL`;
}
