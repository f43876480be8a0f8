import { randomBytes } from 'node:crypto';
import type { Queries } from '../../kernel/database/client.js';
import { alertingOf, transactionUnderLock } from '../../kernel/database/locks.js';
import { type ContractError, fieldRefusal, refusal } from '../../kernel/errors.js';
import type { Settings } from '../../kernel/settings.js';
import { formatTimestamp } from '../../kernel/time.js';
import { recordChange } from '../../people/activity/record.js';
import { sessionProcedure } from '../../trpc.js';
import { addressOfHost, isPublicAddress } from './resolve.js';
import {
  changeEndpoint,
  type EndpointRow,
  findEndpoint,
  findEndpoints,
  insertEndpoint,
  restoreEndpointRow,
  retireEndpoint,
  rotateSecretOf,
} from './endpoint-queries.js';
import { recordEndpointChange } from './record-change.js';
import { createEndpointInput, endpointIdInput, endpointsMax, updateEndpointInput } from './schemas.js';

/** An endpoint for the app. Its secret is only in the answers that create or rotate it. */
export type EndpointView = ReturnType<typeof endpointView>;

function endpointView({ pending_count: count, pending_bytes: bytes, ...row }: EndpointRow) {
  return {
    ...row,
    /** Deliveries that wait or are in progress, and the bytes of their bodies. */
    pending: { count, bytes },
  };
}

function endpointChanged(): ContractError {
  return fieldRefusal('updated_at', 'changed_since', { what: 'endpoint' });
}

/** Returns a secret in the form that the Standard Webhooks specification defines. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The organization's endpoints by name, all of them: there are at most 10. */
export const listEndpoints = sessionProcedure('admin').query(async ({ ctx }): Promise<{ data: EndpointView[] }> => {
  return { data: (await findEndpoints(ctx.services.db, ctx.orgId)).map(endpointView) };
});

/** Creates an endpoint. Its secret is returned only here. */
export const createEndpoint = sessionProcedure('admin')
  .input(createEndpointInput)
  .mutation(async ({ ctx, input }): Promise<EndpointView & { secret: string }> => {
    const { db, settings } = ctx.services;
    rejectUnreachable(input.url, settings);
    const secret = newSecret();
    const row = await transactionUnderLock(db, alertingOf(ctx), async (tx) => {
      const id = await insertEndpoint(tx, ctx.orgId, { endpoint: input, secret, max: endpointsMax });
      if (id === undefined) throw refusal('limit_reached', { max: endpointsMax, what: 'endpoints' });
      const after = await requireEndpoint(tx, ctx.orgId, id);
      await recordEndpointChange(tx, ctx, { action: 'created', after });
      return after;
    });
    return { ...endpointView(row), secret };
  });

/**
 * Changes an endpoint. 400 for `updated_at` if somebody else has changed the endpoint since. Disabling it gives up its
 * pending deliveries.
 */
export const updateEndpoint = sessionProcedure('admin')
  .input(updateEndpointInput)
  .mutation(async ({ ctx, input: { id, updated_at: updatedAt, ...changes } }): Promise<EndpointView> => {
    const { db, settings } = ctx.services;
    if (changes.url !== undefined) rejectUnreachable(changes.url, settings);
    const row = await transactionUnderLock(db, alertingOf(ctx), async (tx) => {
      const before = await requireEndpoint(tx, ctx.orgId, id);
      if (updatedAt !== undefined && formatTimestamp(updatedAt) !== before.updated_at) throw endpointChanged();
      await changeEndpoint(tx, ctx.orgId, { id, changes });
      const after = await requireEndpoint(tx, ctx.orgId, id);
      await recordEndpointChange(tx, ctx, { action: 'updated', before, after });
      return after;
    });
    return endpointView(row);
  });

/** Deletes an endpoint; for 30 days it can be restored. Rules that used it keep their other recipients. */
export const deleteEndpoint = sessionProcedure('admin')
  .input(endpointIdInput)
  .mutation(async ({ ctx, input }): Promise<void> => {
    await transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
      const before = await requireEndpoint(tx, ctx.orgId, input.id);
      await retireEndpoint(tx, ctx.orgId, input.id);
      await recordEndpointChange(tx, ctx, { action: 'deleted', before });
    });
  });

/**
 * Restores an endpoint that was deleted in the last 30 days, with its secret, its delivery log and the rules that sent
 * to it. Events that happened meanwhile are not sent. 404 if there is no such deleted endpoint, 409 if the organization
 * has too many endpoints.
 */
export const restoreEndpoint = sessionProcedure('admin')
  .input(endpointIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
      await restoreEndpointRow(tx, ctx.orgId, { id, max: endpointsMax });
      await recordEndpointChange(tx, ctx, { action: 'restored', after: await requireEndpoint(tx, ctx.orgId, id) });
    });
  });

/**
 * Gives an endpoint a new secret. For 24 hours, requests are signed with both secrets. A second rotation within this
 * time invalidates the oldest secret.
 */
export const rotateEndpointSecret = sessionProcedure('admin')
  .input(endpointIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<EndpointView & { secret: string }> => {
    const { db } = ctx.services;
    const secret = newSecret();
    const row = await transactionUnderLock(db, alertingOf(ctx), async (tx) => {
      const { name } = await requireEndpoint(tx, ctx.orgId, id);
      await rotateSecretOf(tx, ctx.orgId, { id, secret });
      const change = { kind: 'webhook_endpoint', objectId: id, objectName: name, action: 'secret_rotated' } as const;
      await recordChange(tx, ctx, change);
      return requireEndpoint(tx, ctx.orgId, id);
    });
    return { ...endpointView(row), secret };
  });

/**
 * Rejects addresses that no attempt could reach, before they are saved. Names are resolved and checked when connecting.
 */
function rejectUnreachable(url: string, { webhooksAllowPrivateAddresses: allowsPrivate }: Settings): void {
  if (allowsPrivate) return;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') throw fieldRefusal('url', 'not_https');
  const address = addressOfHost(hostname);
  if (address !== undefined && !isPublicAddress(address)) {
    throw fieldRefusal('url', 'not_public_address');
  }
}

/** @throws ContractError `not_found` if the organization has no such endpoint */
export async function requireEndpoint(tx: Queries, orgId: number, id: number): Promise<EndpointRow> {
  const row = await findEndpoint(tx, orgId, id);
  if (!row) throw refusal('not_found', { what: 'Endpoint' });
  return row;
}
