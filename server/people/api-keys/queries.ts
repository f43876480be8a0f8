import { randomUUID } from 'node:crypto';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder, instant, timestamp } from '../../kernel/database/columns.js';
import { lockStatement } from '../../kernel/database/locks.js';
import type { Quota } from '../../kernel/database/quota.js';
import type { Paging } from '../../kernel/lists.js';
import type { Scope as ActivityScope } from '../activity/record.js';
import type { Scope } from '../auth/scopes.js';

/** A key for administrators; the token is not stored and so cannot be returned. */
export type ApiKeyRow = {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  /** Who created the key; null for keys without a known creator. */
  created_by: { user_id: number; name: string; is_member: boolean } | null;
};

const apiKeyRow = Prisma.sql`
  k.id::text AS id, k.name, k.scopes,
  ${timestamp('k.created_at')} AS created_at,
  ${timestamp('k.expires_at')} AS expires_at,
  ${timestamp('k.last_used_at')} AS last_used_at,
  ${timestamp('k.revoked_at')} AS revoked_at,
  (SELECT json_build_object('user_id', u.id, 'name', u.name, 'is_member',
            EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = u.id))
     FROM users u
    WHERE u.id = k.created_by) AS created_by`;

/** The condition that a key is neither revoked nor expired. */
const isActive = Prisma.sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()))`;

/** The quota of keys of an organization. Revoked and expired keys stay in the list. */
export const apiKeyQuota: Quota = {
  table: 'api_keys',
  lock: 'apiKeys',
  isLive: isActive,
  noun: 'API keys',
  liveMax: 1000,
  pastMax: 10_000,
};

export type NewApiKey = { name: string; scopes: readonly Scope[]; expiresAtMs: number | null; createdBy: number };

export async function insertApiKey(tx: TransactionClient, orgId: number, key: NewApiKey): Promise<ApiKeyRow> {
  const rows = await tx.$queryRaw<[ApiKeyRow]>`
    INSERT INTO api_keys AS k (id, org_id, name, scopes, created_by, created_at, expires_at)
    VALUES (${randomUUID()}::uuid, ${orgId}::int, ${key.name}, ${key.scopes}::text[], ${key.createdBy}::int,
            ${currentInstant}, ${instant(key.expiresAtMs)})
    RETURNING ${apiKeyRow}`;
  return rows[0];
}

/** Returns an organization's keys, newest first, with revoked and expired ones. */
export async function findApiKeys(db: Database, orgId: number, { limit, offset }: Paging): Promise<ApiKeyRow[]> {
  return db.$queryRaw<ApiKeyRow[]>`
    SELECT ${apiKeyRow}
      FROM api_keys k
     WHERE k.org_id = ${orgId}::int
     ORDER BY k.created_at DESC, k.id
     LIMIT ${limit}::int OFFSET ${offset}::int`;
}

/** Returns a key and locks it until the end of the transaction. Undefined if the organization has no such key. */
export async function lockApiKey(tx: TransactionClient, orgId: number, keyId: string): Promise<ApiKeyRow | undefined> {
  const rows = await tx.$queryRaw<ApiKeyRow[]>`
    SELECT ${apiKeyRow} FROM api_keys k WHERE k.org_id = ${orgId}::int AND k.id = ${keyId}::uuid FOR NO KEY UPDATE`;
  return rows[0];
}

/** Revokes a locked key for good. */
export async function revokeKey(tx: TransactionClient, orgId: number, keyId: string): Promise<ApiKeyRow | undefined> {
  const rows = await tx.$queryRaw<ApiKeyRow[]>`
    UPDATE api_keys k
       SET revoked_at = ${currentInstant}
     WHERE k.org_id = ${orgId}::int
       AND k.id = ${keyId}::uuid
    RETURNING ${apiKeyRow}`;
  return rows[0];
}

/** Returns the active keys that a person created in an organization, newest first. The quota limits their number. */
export async function findKeysOf(db: Database, orgId: number, userId: number): Promise<ApiKeyRow[]> {
  return db.$queryRaw<ApiKeyRow[]>`
    SELECT ${apiKeyRow}
      FROM api_keys k
     WHERE k.org_id = ${orgId}::int
       AND k.created_by = ${userId}::int
       AND ${isActive}
     ORDER BY k.created_at DESC, k.id`;
}

/** People who left an organization but still have active keys there, with the number of these keys, by name. */
export type FormerCreator = { user_id: number; name: string; active_keys: number };

export async function findFormerCreators(db: Database, orgId: number): Promise<FormerCreator[]> {
  return db.$queryRaw<FormerCreator[]>`
    SELECT u.id AS user_id, u.name, count(*)::int AS active_keys
      FROM api_keys k
      JOIN users u ON u.id = k.created_by
     WHERE k.org_id = ${orgId}::int
       AND ${isActive}
       AND NOT EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = k.created_by)
     GROUP BY u.id, u.name
     ORDER BY ${inNaturalOrder('u.name')}, u.id`;
}

/**
 * Revokes all active keys that a person created in an organization, with an entry of the activity log for each, and
 * returns their ids. Waits for keys that the same person is creating meanwhile.
 */
export async function revokeKeysOf(
  tx: TransactionClient,
  { orgId, author }: Pick<ActivityScope, 'orgId' | 'author'>,
  userId: number,
): Promise<string[]> {
  // The creation of a key takes this lock before it checks the creator's role.
  await tx.$queryRaw(lockStatement(apiKeyQuota.lock, orgId));
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH chosen AS (
      SELECT k.id, k.name
        FROM api_keys k
       WHERE k.org_id = ${orgId}::int
         AND k.created_by = ${userId}::int
         AND ${isActive}
       ORDER BY k.id
         FOR NO KEY UPDATE
    ), revoked AS (
      UPDATE api_keys k
         SET revoked_at = ${currentInstant}
        FROM chosen
       WHERE k.id = chosen.id
      RETURNING k.id, k.name
    ), logged AS (
      INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor)
      SELECT ${orgId}::int, ${currentInstant}, 'api_key', id::text, name, 'revoked', ${author.entryPoint}, ${author.actor}
        FROM revoked
    )
    SELECT id::text AS id FROM revoked`;
  return rows.map(({ id }) => id);
}
