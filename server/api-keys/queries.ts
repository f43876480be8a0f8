import { randomUUID } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.js';
import type { Role, Scope } from '../auth/scopes.js';
import type { Database, TransactionClient } from '../database/client.js';
import { currentInstant, epochMs, instant } from '../database/columns.js';
import type { Paging } from '../lists.js';

/** A stored key; instants are epoch milliseconds. */
export type ApiKeyRow = {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
};

const apiKeyRow = Prisma.sql`
  id::text AS id, name, scopes,
  ${epochMs('created_at')} AS created_at,
  ${epochMs('expires_at')} AS expires_at,
  ${epochMs('last_used_at')} AS last_used_at,
  ${epochMs('revoked_at')} AS revoked_at`;

export type NewApiKey = { name: string; scopes: readonly Scope[]; expiresAtMs: number | null; createdBy: number };

export async function insertApiKey(tx: TransactionClient, orgId: number, key: NewApiKey): Promise<ApiKeyRow> {
  const rows = await tx.$queryRaw<[ApiKeyRow]>`
    INSERT INTO api_keys (id, org_id, name, scopes, created_by, created_at, expires_at)
    VALUES (${randomUUID()}::uuid, ${orgId}::int, ${key.name}, ${key.scopes}::text[], ${key.createdBy}::int,
            ${currentInstant}, ${instant(key.expiresAtMs)})
    RETURNING ${apiKeyRow}`;
  return rows[0];
}

/** An organisation's keys, newest first, revoked and expired ones included. */
export async function findApiKeys(db: Database, orgId: number, { limit, offset }: Paging): Promise<ApiKeyRow[]> {
  return db.$queryRaw<ApiKeyRow[]>`
    SELECT ${apiKeyRow}
      FROM api_keys
     WHERE org_id = ${orgId}::int
     ORDER BY api_keys.created_at DESC, api_keys.id
     LIMIT ${limit}::int OFFSET ${offset}::int`;
}

/** Returns a key and locks it until the end of the transaction. Undefined if the organization has no such key. */
export async function lockApiKey(tx: TransactionClient, orgId: number, keyId: string): Promise<ApiKeyRow | undefined> {
  const rows = await tx.$queryRaw<ApiKeyRow[]>`
    SELECT ${apiKeyRow} FROM api_keys WHERE org_id = ${orgId}::int AND id = ${keyId}::uuid FOR NO KEY UPDATE`;
  return rows[0];
}

/** Revokes a locked key for good. */
export async function revokeKey(tx: TransactionClient, orgId: number, keyId: string): Promise<ApiKeyRow | undefined> {
  const rows = await tx.$queryRaw<ApiKeyRow[]>`
    UPDATE api_keys
       SET revoked_at = ${currentInstant}
     WHERE org_id = ${orgId}::int
       AND id = ${keyId}::uuid
    RETURNING ${apiKeyRow}`;
  return rows[0];
}

export async function findRole(db: Database, orgId: number, userId: number): Promise<Role | undefined> {
  const rows = await db.$queryRaw<{ role: Role }[]>`
    SELECT role FROM memberships WHERE org_id = ${orgId}::int AND user_id = ${userId}::int`;
  return rows[0]?.role;
}
