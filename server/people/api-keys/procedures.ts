import type { TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { ensureBelowQuota } from '../../kernel/database/quota.js';
import { fieldRefusal, refusal } from '../../kernel/errors.js';
import { type ListOf, pagingInput } from '../../kernel/lists.js';
import { router, sessionProcedure } from '../../trpc.js';
import { recordChange } from '../activity/record.js';
import type { Role } from '../auth/scopes.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { requireOpenSession } from '../session/queries.js';
import {
  apiKeyQuota,
  type ApiKeyRow,
  findApiKeys,
  findFormerCreators,
  findKeysOf,
  insertApiKey,
  lockApiKey,
  revokeKey,
  revokeKeysOf,
} from './queries.js';
import { createApiKeyInput, keysOfInput, revokeApiKeyInput } from './schemas.js';

/** Creates an API key for an organization in which the caller is an administrator. The token is returned only here. */
const createApiKey = sessionProcedure('viewer')
  .input(createApiKeyInput)
  .mutation(async ({ ctx, input }) => {
    const { db, identity, settings } = ctx.services;
    const { name, scopes, expires_at: expiresAtMs, organization_id: orgId = ctx.orgId } = input;
    const { userId } = ctx.actor;
    requireFuture(expiresAtMs);
    const row = await db.$transaction(async (tx) => {
      await requireOpenSession(tx, ctx.actor.sessionId);
      // The role is checked under the quota's lock, so that a member who is being removed with their keys keeps none.
      await tx.$queryRaw(lockStatement(apiKeyQuota.lock, orgId));
      await requireAdministrator(tx, orgId, userId);
      await ensureBelowQuota(tx, orgId, apiKeyQuota);
      const made = await insertApiKey(tx, orgId, { name, scopes, expiresAtMs, createdBy: userId });
      const after = { name, scopes, expires_at: expiresAtMs };
      const change = { kind: 'api_key', objectId: made.id, objectName: name, action: 'created', after } as const;
      await recordChange(tx, { orgId, author: ctx.author }, change);
      await notifyOfChange(tx, settings, { userId, change: 'api_key_created', detail: name });
      return made;
    });
    return { token: await identity.signApiKey({ id: row.id, expiresAtMs }), ...row };
  });

function requireFuture(expiresAtMs: number | null): void {
  if (expiresAtMs === null || expiresAtMs > Date.now()) return;
  throw fieldRefusal('expires_at', 'not_future');
}

/**
 * Rejects callers who do not administer an organization. An organization to which the caller does not belong counts as
 * missing.
 */
async function requireAdministrator(tx: TransactionClient, orgId: number, userId: number): Promise<void> {
  const [member] = await tx.$queryRaw<{ role: Role }[]>`
    SELECT role FROM memberships WHERE org_id = ${orgId}::int AND user_id = ${userId}::int`;
  if (member?.role === 'admin') return;
  if (member) throw refusal('role_missing', { role: 'admin' });
  throw fieldRefusal('organization_id', 'not_found', { value: orgId });
}

/** Lists the organization's keys, newest first. */
const listApiKeys = sessionProcedure('admin')
  .input(pagingInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<ApiKeyRow>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([
      findApiKeys(db, ctx.orgId, paging),
      db.models(({ apiKey }) => apiKey.count({ where: { orgId: ctx.orgId } })),
    ]);
    return { data: rows, ...paging, total_count: count };
  });

/**
 * Revokes a key permanently, from the next request on, within a second in other processes. Revoking it again changes
 * nothing and returns the same result.
 */
const revokeApiKey = sessionProcedure('admin')
  .input(revokeApiKeyInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const row = await ctx.services.db.$transaction(async (tx) => {
      const current = await lockApiKey(tx, ctx.orgId, id);
      if (!current || current.revoked_at !== null) return current;
      const change = { kind: 'api_key', objectId: current.id, objectName: current.name, action: 'revoked' } as const;
      await recordChange(tx, ctx, change);
      return revokeKey(tx, ctx.orgId, id);
    });
    if (!row) throw refusal('not_found', { what: 'API key' });
    ctx.services.identity.forgetApiKey(row.id);
    return row;
  });

/** Lists the active keys that a member, or a former member, created, newest first. */
const listKeysOfMember = sessionProcedure('admin')
  .input(keysOfInput)
  .query(async ({ ctx, input: { user_id: userId } }) => ({
    data: await findKeysOf(ctx.services.db, ctx.orgId, userId),
  }));

/** Lists people who are no longer members, and whose keys are still active, by name. */
const listFormerCreators = sessionProcedure('admin').query(async ({ ctx }) => ({
  data: await findFormerCreators(ctx.services.db, ctx.orgId),
}));

/**
 * Revokes all active keys that a member, or a former member, created: all or none, from the next request on, within a second
 * in other processes. Returns how many there were.
 */
const revokeKeysOfMember = sessionProcedure('admin')
  .input(keysOfInput)
  .mutation(async ({ ctx, input: { user_id: userId } }) => {
    const { db, identity } = ctx.services;
    const ids = await db.$transaction((tx) => revokeKeysOf(tx, ctx, userId));
    for (const id of ids) identity.forgetApiKey(id);
    return { revoked: ids.length };
  });

/** API keys of integrators: administrators create, list and revoke them in the app (contract 6.2). */
export const apiKeysRouter = router({
  create: createApiKey,
  list: listApiKeys,
  revoke: revokeApiKey,
  listOfMember: listKeysOfMember,
  listFormerCreators,
  revokeOfMember: revokeKeysOfMember,
});
