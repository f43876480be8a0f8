import { z } from 'zod';
import { type ListOf, pageOf, pagingFields, type CountedRow, type Paging } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { nullableIdField } from '../../kernel/validation/fields.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder, timestamp } from '../../kernel/database/columns.js';
import { type ListQuery, listQuery } from '../../kernel/database/list-query.js';
import { requireLocation } from './procedure.js';
import { countBelow, downFrom } from './tree.js';

/** A location in the tree. */
export type TreeNode = {
  id: number;
  external_key: string;
  name: string;
  parent_id: number | null;
  is_active: boolean;
  updated_at: string;
  children_count: number;
  /** Live assets at the location itself, and with its sublocations. */
  assets_here: number;
  assets_below: number;
};

/** Returns one level of the tree: the children of a live location, or the roots if the parent is null. By name. */
export const listLevel = sessionProcedure('viewer')
  .input(z.strictObject({ parent_id: nullableIdField(), ...pagingFields }))
  .query(async ({ ctx, input: { parent_id: parentId, ...paging } }): Promise<ListOf<TreeNode>> => {
    const { db } = ctx.services;
    const rows = await listLevelRows(db, ctx.orgId, { parentId, paging });
    const page = pageOf(rows, paging, (row) => row);
    if (page.total_count === 0) await requireLocation(db, ctx.orgId, parentId);
    return page;
  });

/**
 * Returns a page of the children of a location, or of the roots of the tree, with the counts of their assets; by name.
 */
async function listLevelRows(
  db: Database,
  orgId: number,
  { parentId, paging }: { parentId: number | null; paging: Paging },
): Promise<CountedRow<TreeNode>[]> {
  const below = parentId === null ? Prisma.sql`r.parent_id IS NULL` : Prisma.sql`r.parent_id = ${parentId}`;
  const list: ListQuery = {
    source: Prisma.raw('locations r'),
    conditions: [Prisma.sql`r.org_id = ${orgId} AND ${below} AND r.deleted_at IS NULL`],
    order: Prisma.sql`${inNaturalOrder('r.name')}, r.id`,
    paging,
    total: 'apart',
  };
  return db.$queryRaw<CountedRow<TreeNode>[]>`
    ${listQuery(list)}, ${downFrom(orgId, Prisma.sql`page l`)}, ${countBelow(orgId)}
    SELECT counts.*, r.id, r.external_key, r.name, r.parent_id, r.is_active, ${timestamp('r.updated_at')} AS updated_at,
           (SELECT count(*)::float8 FROM locations c
             WHERE c.org_id = ${orgId} AND c.parent_id = r.id AND c.deleted_at IS NULL) AS children_count,
           counted.here AS assets_here, counted.below AS assets_below
      FROM counts
      LEFT JOIN (
        page r
        JOIN counted ON counted.top = r.id
      ) ON true
     ORDER BY ${list.order}`;
}
