import type { ListOf } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { listReaderRows } from './queries.js';
import { listReadersInput } from './schemas.js';
import { type ReaderView, readerView } from './view.js';

/**
 * Lists the organization's readers by name, with the times that distinguish a silent reader from one that is
 * disconnected or rejected.
 */
export const listReaders = sessionProcedure('admin')
  .input(listReadersInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<ReaderView>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([
      listReaderRows(db, ctx.orgId, paging),
      db.models(({ reader }) => reader.count({ where: { orgId: ctx.orgId, deletedAt: null } })),
    ]);
    return { data: rows.map(readerView), ...paging, total_count: count };
  });
