import { z } from 'zod';
import { recordChange, type Scope } from '../../people/activity/record.js';
import { roleIncludes } from '../../people/auth/scopes.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import { booleanField, idField, textField } from '../../kernel/validation/fields.js';
import { nameRule } from '../../kernel/validation/resource-fields.js';
import { sessionProcedure } from '../../trpc.js';
import { assetNotFound } from '../assets/procedure.js';
import { lockAsset } from '../assets/queries.js';
import { assetId } from '../assets/schemas.js';
import { findOpenProblems, findProblem, insertProblem, markProblem, removeResolved } from './queries.js';

/** The most open problems of one asset. The same number of resolved problems is kept, the newest ones. */
const problemsMax = 20;

const textRule = { ...nameRule, max: 500 };

const reportInput = z.strictObject({ ...assetId, text: textField(textRule, 'create-string') });

const markInput = z.strictObject({
  ...assetId,
  problem_id: idField('required'),
  is_resolved: booleanField('create-default'),
});

/**
 * Reports a problem of an asset, such as "Broken". If an open problem has this text, `is_new` is false and nothing is
 * stored. 409 if the asset has 20 open problems.
 */
export const reportProblem = sessionProcedure('operator')
  .input(reportInput)
  .mutation(
    async ({ ctx, input: { asset_id: asset, text } }): Promise<{ id: number; is_new: boolean }> =>
      ctx.services.db.$transaction(async (tx) => {
        const { name, open } = await lockProblems(tx, ctx.orgId, asset);
        const known = open.find((problem) => problem.text === text);
        if (known) return { id: known.id, is_new: false };
        requireSpace(open.length);
        const id = await insertProblem(tx, ctx.orgId, { assetId: asset, text, userId: ctx.actor.userId });
        await record(tx, ctx, { asset, name, text, isResolved: false });
        return { id, is_new: true };
      }),
  );

/**
 * Resolves a problem, or opens it again within a day. Allowed for managers, and for the person who reported the
 * problem. A problem that is already in the requested state stays unchanged.
 */
export const markProblemResolved = sessionProcedure('operator')
  .input(markInput)
  .mutation(
    async ({ ctx, input: { asset_id: asset, problem_id: problemId, is_resolved: isResolved } }): Promise<void> =>
      ctx.services.db.$transaction(async (tx) => {
        const { name, open } = await lockProblems(tx, ctx.orgId, asset);
        const problem = await findProblem(tx, ctx.orgId, { assetId: asset, problemId });
        if (!problem) throw refusal('not_found', { what: 'Problem' });
        if (problem.reported_by !== ctx.actor.userId && !roleIncludes(ctx.actor.role, 'manager')) {
          throw refusal('role_missing', { role: 'manager' });
        }
        if (problem.is_resolved === isResolved) return;
        if (!isResolved) requireSpace(open.length);
        await markProblem(tx, ctx.orgId, { problemId, isResolved });
        if (isResolved) await removeResolved(tx, ctx.orgId, { assetId: asset, keep: problemsMax });
        await record(tx, ctx, { asset, name, text: problem.text, isResolved });
      }),
  );

/**
 * Locks the asset, so that when two problems are reported concurrently, the second report counts the first. @throws
 * ContractError `not_found`
 */
async function lockProblems(tx: TransactionClient, orgId: number, asset: number) {
  const row = await lockAsset(tx, orgId, asset);
  if (!row) throw assetNotFound();
  return { name: row.name, open: await findOpenProblems(tx, orgId, asset) };
}

function requireSpace(open: number): void {
  if (open >= problemsMax) throw refusal('too_many_problems', { max: problemsMax });
}

type Marked = { asset: number; name: string; text: string; isResolved: boolean };

async function record(tx: TransactionClient, scope: Scope, { asset, name, text, isResolved }: Marked): Promise<void> {
  const about = { kind: 'asset', objectId: asset, objectName: name } as const;
  await recordChange(tx, scope, {
    ...about,
    ...(isResolved
      ? { action: 'problem_resolved', before: { problem: text } }
      : { action: 'problem_reported', after: { problem: text } }),
  });
}
