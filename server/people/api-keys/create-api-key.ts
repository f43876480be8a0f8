import { recordChange } from '../activity/record.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { ensureBelowQuota } from '../../kernel/database/quota.js';
import { refusal, validationError } from '../../kernel/errors.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { requireOpenSession } from '../session/queries.js';
import { sessionProcedure } from '../../trpc.js';
import { findRole, insertApiKey } from './queries.js';
import { apiKeyQuota } from './quota.js';
import { createApiKeyInput } from './schemas.js';
import { apiKeyView } from './view.js';

/** Creates an API key for an organization in which the caller is an administrator. The token is returned only here. */
export const createApiKey = sessionProcedure('viewer')
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
    return { token: await identity.signApiKey({ id: row.id, expiresAtMs: row.expires_at }), ...apiKeyView(row) };
  });

function requireFuture(expiresAtMs: number | null): void {
  if (expiresAtMs === null || expiresAtMs > Date.now()) return;
  throw validationError([{ field: 'expires_at', code: 'invalid_value', message: 'expires_at must be in the future' }]);
}

/** Rejects callers who do not administer an organization. One that the caller does not belong to counts as missing. */
async function requireAdministrator(tx: TransactionClient, orgId: number, userId: number): Promise<void> {
  const role = await findRole(tx, orgId, userId);
  if (role === 'admin') return;
  if (role) throw refusal('role_missing', { role: 'admin' });
  const message = `organization_id ${orgId} not found`;
  throw validationError([{ field: 'organization_id', code: 'fk_not_found', message }]);
}
