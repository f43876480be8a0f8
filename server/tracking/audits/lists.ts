import type { Database, Queries } from '../../kernel/database/client.js';
import { type CountedRow, type ListOf, pageOf, type Paging } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { z } from 'zod';
import { auditId, type AuditOutcome, compareInput, itemsInput, listInput } from './schemas.js';
import { type ContractError, refusal } from '../../kernel/errors.js';
import { formatNullableTimestamp, formatTimestamp, type Stored } from '../../kernel/time.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { epochMs, inNaturalOrder, instant } from '../../kernel/database/columns.js';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { always, subtreeOf } from '../../things/locations/tree.js';

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

/** A saved audit of a location. */
export type AuditView = {
  id: string;
  location: { id: number; name: string; external_key: string; is_deleted: boolean };
  started_at: string;
  saved_at: string;
  /** Null if the user no longer exists. */
  saved_by: string | null;
} & Record<AuditOutcome, number>;

/** The outcome of an audit for one asset, or for a tag that is not attached to anything. Names are as of the audit. */
export type AuditItemView = {
  position: number;
  outcome: AuditOutcome;
  /** Null for a tag. */
  asset: { id: number; external_key: string } | null;
  name: string;
  /** The last location before the audit was saved. */
  last_location: { id: number; name: string } | null;
  last_seen_at: string | null;
};

/** A difference between two audits; null if an audit does not have the item. */
export type AuditDifference = {
  asset: { id: number; external_key: string } | null;
  name: string;
  before: AuditOutcome | null;
  after: AuditOutcome | null;
};

/** Rows of the views; instants are epoch milliseconds, `id` is the position of an item. */
type AuditRow = Stored<AuditView, 'started_at' | 'saved_at'>;
type ItemRow = Stored<Omit<AuditItemView, 'position'>, 'last_seen_at'> & { id: number };
type DifferenceRow = AuditDifference & { id: number };

function auditNotFound(): ContractError {
  return refusal('not_found', { what: 'Audit' });
}

function viewAudit(row: AuditRow): AuditView {
  return { ...row, started_at: formatTimestamp(row.started_at), saved_at: formatTimestamp(row.saved_at) };
}

function viewItem({ id: position, ...row }: ItemRow): AuditItemView {
  return { position, ...row, last_seen_at: formatNullableTimestamp(row.last_seen_at) };
}

function viewDifference({ id: _id, ...row }: DifferenceRow): AuditDifference {
  return row;
}

const columns = Prisma.sql`
  u.id,
  CASE WHEN l.id IS NOT NULL
       THEN json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key, 'is_deleted', l.deleted_at IS NOT NULL)
       END AS location,
  ${epochMs('u.started_at')} AS started_at, ${epochMs('u.saved_at')} AS saved_at, p.name AS saved_by, u.found, u.missing, u.unexpected, u.unassigned`;

const joins = (orgId: number) => Prisma.sql`
  JOIN locations l ON l.org_id = ${orgId} AND l.id = u.location_id
  LEFT JOIN users p ON p.id = u.saved_by`;

type AuditFilter = {
  locationId: number | null;
  includingSublocations: boolean;
  fromMs: number | null;
  untilMs: number | null;
};

/** Returns a page of audits, newest first, with the count of all matches. An organization has at most 10,000. */
async function listAuditRows(
  db: Queries,
  orgId: number,
  { filter, paging }: { filter: AuditFilter; paging: Paging },
): Promise<CountedRow<AuditRow>[]> {
  const { locationId, includingSublocations, fromMs, untilMs } = filter;
  const list: ListQuery = {
    given: subtreeOf(orgId, locationId, { belongs: always, below: includingSublocations }),
    source: Prisma.raw('audits u'),
    conditions: [
      Prisma.sql`u.org_id = ${orgId}`,
      locationId === null ? undefined : Prisma.sql`u.location_id = ANY (ARRAY(SELECT d.id FROM down d))`,
      fromMs === null ? undefined : Prisma.sql`u.saved_at >= ${instant(fromMs)}`,
      untilMs === null ? undefined : Prisma.sql`u.saved_at < ${instant(untilMs)}`,
    ],
    order: Prisma.raw('u.saved_at DESC, u.id DESC'),
    paging,
    total: 'apart',
  };
  return db.$queryRaw<CountedRow<AuditRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, ${columns}
      FROM counts
      LEFT JOIN (page u ${joins(orgId)}) ON true
     ORDER BY ${list.order}`;
}

/** Returns one audit, or undefined if there is none with the id. */
async function findAudit(db: Queries, orgId: number, id: string): Promise<AuditRow | undefined> {
  const rows = await db.$queryRaw<AuditRow[]>`
    SELECT ${columns} FROM audits u ${joins(orgId)} WHERE u.org_id = ${orgId} AND u.id = ${id}`;
  return rows[0];
}

/** Returns the asset of an item as JSON; null for a tag. */
const assetOf = (alias: string) =>
  Prisma.raw(`CASE WHEN ${alias}.asset_id IS NOT NULL
    THEN json_build_object('id', ${alias}.asset_id, 'external_key', coalesce(${alias}.external_key, '')) END`);

/**
 * Returns a page of the items of an audit, in this order: missing, unexpected, unassigned and found items, each by
 * name.
 */
async function listItemRows(
  db: Queries,
  orgId: number,
  { auditId, outcome, paging }: { auditId: string; outcome: AuditOutcome | null; paging: Paging },
): Promise<CountedRow<ItemRow>[]> {
  const conditions = [
    Prisma.sql`i.org_id = ${orgId} AND i.audit_id = ${auditId}`,
    outcome === null ? undefined : Prisma.sql`i.outcome = ${outcome}`,
  ];
  const [source, order] = [Prisma.raw('audit_items i'), Prisma.raw('i.position')];
  return db.$queryRaw<CountedRow<ItemRow>[]>`
    ${listQuery({ source, conditions, order, paging, total: 'apart' })}
    SELECT counts.*, i.position AS id, i.outcome, ${assetOf('i')} AS asset, i.name,
           CASE WHEN i.last_location_id IS NOT NULL
                THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name, '')) END AS last_location,
           ${epochMs('i.last_seen_at')} AS last_seen_at
      FROM counts
      LEFT JOIN page i ON true
     ORDER BY ${order}`;
}

/** Returns a page of the differences between an audit and an earlier one, by name. */
async function listDifferenceRows(
  db: Queries,
  orgId: number,
  { auditId, earlierId, paging }: { auditId: string; earlierId: string; paging: Paging },
): Promise<CountedRow<DifferenceRow>[]> {
  const items = (id: string) => Prisma.sql`
    SELECT i.asset_id, i.name, i.external_key, i.outcome, coalesce('a' || i.asset_id, 'v' || i.name) AS key
      FROM audit_items i
     WHERE i.org_id = ${orgId} AND i.audit_id = ${id}`;
  const list: ListQuery = {
    source: Prisma.sql`(
      SELECT coalesce(n.asset_id, e.asset_id) AS asset_id, coalesce(n.name, e.name) AS name,
             coalesce(n.external_key, e.external_key) AS external_key, e.outcome AS before, n.outcome AS after
        FROM (${items(earlierId)}) e
        FULL JOIN (${items(auditId)}) n ON n.key = e.key
       WHERE e.outcome IS DISTINCT FROM n.outcome
    ) d`,
    columns: Prisma.sql`d.*, (row_number() OVER (ORDER BY ${inNaturalOrder('d.name')}, d.asset_id))::int AS id`,
    order: Prisma.raw('d.id'),
    alias: 'd',
    paging,
  };
  return db.$queryRaw<CountedRow<DifferenceRow>[]>`
    ${listQuery(list)}
    SELECT counts.*, d.id, ${assetOf('d')} AS asset, d.name, d.before, d.after
      FROM counts
      LEFT JOIN page d ON true
     ORDER BY ${list.order}`;
}
