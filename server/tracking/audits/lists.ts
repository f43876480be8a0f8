import type { Database } from '../../kernel/database/client.js';
import { type ListOf, pageOf } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { z } from 'zod';
import { findAudit, listAuditRows, listDifferenceRows, listItemRows } from './list-queries.js';
import { auditId, compareInput, itemsInput, listInput } from './schemas.js';
import {
  type AuditDifference,
  type AuditItemView,
  auditNotFound,
  type AuditView,
  viewAudit,
  viewDifference,
  viewItem,
} from './view.js';

/**
 * Lists saved audits, newest first; of a location with its sublocations, or of a time range `from <= saved_at < until`.
 */
export const listAudits = sessionProcedure('viewer')
  .input(listInput)
  .query(async ({ ctx, input }): Promise<ListOf<AuditView>> => {
    const { location_id, including_sublocations: includingSublocations, from, until, ...paging } = input;
    const filter = {
      locationId: location_id ?? null,
      includingSublocations,
      fromMs: from ?? null,
      untilMs: until ?? null,
    };
    return pageOf(await listAuditRows(ctx.services.db, ctx.orgId, { filter, paging }), paging, viewAudit);
  });

/** Returns one saved audit without its items. */
export const getAudit = sessionProcedure('viewer')
  .input(z.strictObject(auditId))
  .query(
    async ({ ctx, input }): Promise<AuditView> =>
      viewAudit(await existingAudit(ctx.services.db, ctx.orgId, input.audit_id)),
  );

/** Lists the items of an audit, in this order: missing, unexpected, unassigned and found items, each by name. */
export const listAuditItems = sessionProcedure('viewer')
  .input(itemsInput)
  .query(async ({ ctx, input: { audit_id, outcome, ...paging } }): Promise<ListOf<AuditItemView>> => {
    const { db } = ctx.services;
    await existingAudit(db, ctx.orgId, audit_id);
    const request = { auditId: audit_id, outcome: outcome ?? null, paging };
    return pageOf(await listItemRows(db, ctx.orgId, request), paging, viewItem);
  });

/**
 * Lists the differences between an audit and an earlier one: assets and tags that have another outcome, or are in only
 * one of them.
 */
export const compareAudits = sessionProcedure('viewer')
  .input(compareInput)
  .query(async ({ ctx, input: { audit_id, earlier_audit_id, ...paging } }): Promise<ListOf<AuditDifference>> => {
    const { db } = ctx.services;
    for (const id of [audit_id, earlier_audit_id]) await existingAudit(db, ctx.orgId, id);
    const request = { auditId: audit_id, earlierId: earlier_audit_id, paging };
    return pageOf(await listDifferenceRows(db, ctx.orgId, request), paging, viewDifference);
  });

async function existingAudit(db: Database, orgId: number, id: string) {
  const audit = await findAudit(db, orgId, id);
  if (!audit) throw auditNotFound();
  return audit;
}
