import { z } from 'zod';
import { recordChange, type Scope } from '../../people/activity/record.js';
import { roleIncludes } from '../../people/auth/scopes.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { storeOnce, submissionIdField } from '../../kernel/database/submissions.js';
import { refusal } from '../../kernel/errors.js';
import { booleanField, idField, textField, timestampField } from '../../kernel/validation/fields.js';
import { nameRule } from '../../kernel/validation/resource-fields.js';
import { sessionProcedure } from '../../trpc.js';
import { assetNotFound } from '../assets/procedure.js';
import { lockAsset } from '../assets/queries.js';
import { assetId } from '../assets/schemas.js';
import { findOpenProblems, findProblem, insertProblem, markProblem, removeResolved } from './queries.js';

/** The most open problems of one asset. The same number of resolved problems is kept, the newest ones. */
const problemsMax = 20;

const textRule = { ...nameRule, max: 500 };

/** A report that waited on a device for longer counts as reported then. */
const reportAgeMaxMs = 30 * 86_400_000;

const reportInput = z.strictObject({
  ...assetId,
  text: textField(textRule, 'create-string'),
  /** A report with this id is stored once, however often it is sent. */
  submission_id: submissionIdField.exactOptional(),
  /** When the person reported it and when the device sends it, by the clock of the device. */
  observed_at: timestampField('create-default').exactOptional(),
  sent_at: timestampField('create-default').exactOptional(),
});

type Report = z.output<typeof reportInput>;

type Reported = { id: number; is_new: boolean };

const markInput = z.strictObject({
  ...assetId,
  problem_id: idField('required'),
  is_resolved: booleanField('create-default'),
});

/**
 * Reports a problem of an asset, such as "Broken". If an open problem has this text, `is_new` is false and nothing is
 * stored. 409 if the asset has 20 open problems. A report with an id that was stored before gets the same answer again.
 */
export const reportProblem = sessionProcedure('operator')
  .input(reportInput)
  .mutation(async ({ ctx, input }): Promise<Reported> => {
    const { submission_id: submissionId } = input;
    const reporter = { ...ctx, userId: ctx.actor.userId };
    const { db, scanCaps } = ctx.services;
    if (submissionId === undefined) return db.$transaction((tx) => report(tx, reporter, input));
    const { results, isNew } = await db.$transaction((tx) =>
      storeOnce(tx, ctx.orgId, { submissionId, store: () => report(tx, reporter, input) }),
    );
    if (isNew) scanCaps.submissions.counted(new Map([[ctx.orgId, 1]]));
    return results;
  });

async function report(
  tx: TransactionClient,
  { userId, ...scope }: Scope & { userId: number },
  { asset_id: asset, text, ...times }: Report,
): Promise<Reported> {
  const { name, open } = await lockProblems(tx, scope.orgId, asset);
  const known = open.find((problem) => problem.text === text);
  if (known) return { id: known.id, is_new: false };
  requireSpace(open.length);
  const id = await insertProblem(tx, scope.orgId, { assetId: asset, text, userId, ageMs: ageOf(times) });
  await record(tx, scope, { asset, name, text, isResolved: false });
  return { id, is_new: true };
}

/** Returns how long a report waited on its device. The two times are of the same clock, so its fault has no effect. */
function ageOf({ observed_at: observedAtMs, sent_at: sentAtMs }: Pick<Report, 'observed_at' | 'sent_at'>): number {
  if (observedAtMs === undefined || sentAtMs === undefined) return 0;
  return Math.min(Math.max(sentAtMs - observedAtMs, 0), reportAgeMaxMs);
}

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
