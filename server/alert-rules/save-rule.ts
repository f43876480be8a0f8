import type { Database, TransactionClient } from '../database/client.js';
import { alertingOf, transactionUnderLock } from '../database/locks.js';
import { ContractError, validationError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import {
  deleteRuleRow,
  endConditionsOf,
  findRule,
  findRules,
  insertRule,
  missingReferences,
  replaceRule,
  setRuleEnabled,
} from './queries.js';
import { type RuleInput, ruleIdInput, ruleInput, rulesMax, setEnabledInput, updateRuleInput } from './schemas.js';
import { ruleView, type RuleView } from './view.js';

function ruleNotFound(): ContractError {
  return new ContractError('not_found', 'Rule not found');
}

/** The organization's rules by name, all of them: there are at most 100. */
export const listRules = sessionProcedure('manager').query(async ({ ctx }): Promise<{ data: RuleView[] }> => {
  return { data: (await findRules(ctx.services.db, ctx.orgId)).map(ruleView) };
});

export const getRule = sessionProcedure('manager')
  .input(ruleIdInput)
  .query(async ({ ctx, input }) => readRule(ctx.services.db, ctx.orgId, input.id));

/** Creates a rule. 409 where the organization has as many as it can have. */
export const createRule = sessionProcedure('manager')
  .input(ruleInput)
  .mutation(async ({ ctx, input }): Promise<RuleView> => {
    const { db } = ctx.services;
    const id = await transactionUnderLock(db, alertingOf(ctx), async (tx) => {
      await proveReferences(tx, ctx.orgId, input);
      return insertRule(tx, ctx.orgId, { rule: input, max: rulesMax });
    });
    if (id === undefined) throw new ContractError('conflict', `an organization can have ${rulesMax} rules at most`);
    return readRule(db, ctx.orgId, id);
  });

/** Replaces a rule whole. Alerts that it has opened for a condition end; what still holds is reported anew. */
export const updateRule = sessionProcedure('manager')
  .input(updateRuleInput)
  .mutation(async ({ ctx, input }): Promise<RuleView> => {
    const { db } = ctx.services;
    await transactionUnderLock(db, alertingOf(ctx), async (tx) => {
      await proveReferences(tx, ctx.orgId, input);
      if (!(await replaceRule(tx, ctx.orgId, input))) throw ruleNotFound();
      await endConditionsOf(tx, ctx.orgId, input.id);
    });
    return readRule(db, ctx.orgId, input.id);
  });

/** Switches a rule on or off. Off, its open conditions end. */
export const setEnabled = sessionProcedure('manager')
  .input(setEnabledInput)
  .mutation(async ({ ctx, input: { id, is_enabled: isEnabled } }): Promise<RuleView> => {
    const { db } = ctx.services;
    await transactionUnderLock(db, alertingOf(ctx), async (tx) => {
      if (!(await setRuleEnabled(tx, ctx.orgId, { id, isEnabled }))) throw ruleNotFound();
      if (!isEnabled) await endConditionsOf(tx, ctx.orgId, id);
    });
    return readRule(db, ctx.orgId, id);
  });

/** Deletes a rule. Its alerts stay in the history; those of open conditions end. */
export const deleteRule = sessionProcedure('manager')
  .input(ruleIdInput)
  .mutation(async ({ ctx, input }): Promise<void> => {
    await transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
      await endConditionsOf(tx, ctx.orgId, input.id);
      if (!(await deleteRuleRow(tx, ctx.orgId, input.id))) throw ruleNotFound();
    });
  });

async function proveReferences(tx: TransactionClient, orgId: number, rule: RuleInput): Promise<void> {
  const missing = await missingReferences(tx, orgId, rule);
  if (missing.length === 0) return;
  throw validationError(
    missing.map(({ field, id }) => ({ field, code: 'fk_not_found', message: `${field} ${id} not found` })),
  );
}

async function readRule(db: Database, orgId: number, id: number): Promise<RuleView> {
  const row = await findRule(db, orgId, id);
  if (!row) throw ruleNotFound();
  return ruleView(row);
}
