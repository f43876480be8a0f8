import type { ListOf } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { findImport, findImports, findProblems, type ProblemRow } from './queries.js';
import { importIdInput, listImportsInput, listProblemsInput } from './schemas.js';
import { importNotFound, type ImportView, viewImport } from './view.js';

/** Returns the progress of an import, and its result. */
export const getImport = sessionProcedure('manager')
  .input(importIdInput)
  .query(async ({ ctx, input }): Promise<ImportView> => {
    const row = await findImport(ctx.services.db, ctx.orgId, input.import_id);
    if (!row) throw importNotFound();
    return viewImport(row);
  });

/** Lists the organization's imports of the last days, newest first. */
export const listImports = sessionProcedure('manager')
  .input(listImportsInput)
  .query(async ({ ctx, input }): Promise<ListOf<ImportView>> => {
    const rows = await findImports(ctx.services.db, ctx.orgId, input);
    const data = rows.map(({ total_count: _total, ...row }) => viewImport(row));
    return { data, ...input, total_count: rows[0]?.total_count ?? 0 };
  });

/** Lists the problems of a file, by line. */
export const listProblems = sessionProcedure('manager')
  .input(listProblemsInput)
  .query(async ({ ctx, input: { import_id: importId, ...page } }): Promise<ListOf<ProblemRow>> => {
    const { db } = ctx.services;
    if (!(await findImport(db, ctx.orgId, importId))) throw importNotFound();
    const rows = await findProblems(db, ctx.orgId, { importId, ...page });
    const data = rows.map(({ total_count: _total, ...row }) => row);
    return { data, limit: page.limit, offset: page.offset, total_count: rows[0]?.total_count ?? 0 };
  });
