import { z } from 'zod';
import { type ListOf, pageOf, pagingFields } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { nullableIdField } from '../../kernel/validation/fields.js';
import { type LevelRow, listLevelRows } from './level-queries.js';
import { locationNotFound } from './procedure.js';
import { locationExists } from './queries.js';

/** A location in the tree. */
export type TreeNode = {
  id: number;
  external_key: string;
  name: string;
  parent_id: number | null;
  is_active: boolean;
  updated_at: string;
  children_count: number;
  /** Live assets at the location itself, and there or anywhere below. */
  assets_here: number;
  assets_below: number;
};

/** Returns one level of the tree: the children of a live location, or the roots if the parent is null. By name. */
export const listLevel = sessionProcedure('viewer')
  .input(z.strictObject({ parent_id: nullableIdField(), ...pagingFields }))
  .query(async ({ ctx, input: { parent_id: parentId, ...paging } }): Promise<ListOf<TreeNode>> => {
    const { db } = ctx.services;
    const rows = await listLevelRows(db, ctx.orgId, { parentId, paging });
    const page = pageOf(rows, paging, treeNode);
    if (page.total_count === 0 && parentId !== null && !(await locationExists(db, ctx.orgId, parentId))) {
      throw locationNotFound();
    }
    return page;
  });

function treeNode(row: LevelRow): TreeNode {
  return {
    id: row.id,
    external_key: row.external_key,
    name: row.name,
    parent_id: row.parent_id,
    is_active: row.is_active,
    updated_at: formatTimestamp(row.updated_at),
    children_count: row.children_count,
    assets_here: row.assets_here,
    assets_below: row.assets_below,
  };
}
