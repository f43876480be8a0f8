import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { alertingOf, transactionUnderLock } from '../../kernel/database/locks.js';
import { type ContractError, fieldError, fieldRefusal, refusal, validationError } from '../../kernel/errors.js';
import { formatTimestamp } from '../../kernel/time.js';
import { recordDifference, type Scope } from '../../people/activity/record.js';
import type { Services } from '../../services.js';
import { sessionProcedure } from '../../trpc.js';
import { ruleFacts } from './facts.js';
import {
  endConditionsOf,
  findRule,
  findRules,
  insertRule,
  missingReferences,
  replaceRule,
  restoreRuleRow,
  retireRule,
  type RuleRow,
  setRuleEnabled,
} from './queries.js';
import { namesPerRuleMax, readRuleNames, type RuleNames } from './rule-names.js';
import { ruleIdInput, type RuleInput, ruleInput, rulesMax, setEnabledInput, updateRuleInput } from './schemas.js';

/** A rule for the app; it can be sent back unchanged, without the last two fields. */
export type RuleView = RuleInput & { id: number; created_at: string; updated_at: string };

export function ruleView(row: RuleRow): RuleView {
  const { assets, locations, direction, threshold = null } = row.condition;
  return {
    id: row.id,
    name: row.name,
    event_type: row.event_type,
    is_enabled: row.is_enabled,
    assets,
    locations,
    direction,
    limit_seconds: row.limit_seconds,
    threshold,
    schedule: row.schedule,
    quiet_seconds: row.quiet_seconds,
    notify: {
      app: row.notify_app,
      email_user_ids: row.email_user_ids,
      email_mode: row.email_mode,
      endpoint_ids: row.endpoint_ids,
    },
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}

function ruleChanged(): ContractError {
  return fieldRefusal('updated_at', 'changed_since', { what: 'rule' });
}

/**
 * Returns all rules of the organization by name; there are at most 100. `names` has the first three assets and
 * locations of each rule.
 */
export const listRules = sessionProcedure('manager').query(
  async ({ ctx }): Promise<{ data: RuleView[]; names: RuleNames }> => {
    const { db } = ctx.services;
    const rules = await findRules(db, ctx.orgId);
    return {
      data: rules.map(ruleView),
      names: await readRuleNames(db, ctx.orgId, { rules, perRule: namesPerRuleMax }),
    };
  },
);

/** Returns one rule, with the names of all its assets and locations. */
export const getRule = sessionProcedure('manager')
  .input(ruleIdInput)
  .query(async ({ ctx, input }): Promise<{ rule: RuleView; names: RuleNames }> => {
    const { db } = ctx.services;
    const row = await requireRule(db, ctx.orgId, input.id);
    return { rule: ruleView(row), names: await readRuleNames(db, ctx.orgId, { rules: [row] }) };
  });

/** Creates a rule. 409 if the organization has reached the maximum. */
export const createRule = sessionProcedure('manager')
  .input(ruleInput)
  .mutation(
    async ({ ctx, input }): Promise<RuleView> =>
      transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
        await proveReferences(tx, ctx.orgId, input);
        const id = await insertRule(tx, ctx.orgId, { rule: input, max: rulesMax });
        if (id === undefined) throw refusal('limit_reached', { max: rulesMax, what: 'rules' });
        const row = await requireRule(tx, ctx.orgId, id);
        await recordRuleChange(tx, ctx, { action: 'created', after: row });
        return ruleView(row);
      }),
  );

/**
 * Replaces a rule completely. 400 for `updated_at` if somebody else has changed the rule since. Ends its open condition
 * alerts; conditions that still hold are reported again.
 */
export const updateRule = sessionProcedure('manager')
  .input(updateRuleInput)
  .mutation(({ ctx, input }) =>
    changeRule(ctx, input.id, async (tx, before) => {
      if (input.updated_at !== undefined && input.updated_at !== before.updated_at) throw ruleChanged();
      await proveReferences(tx, ctx.orgId, input);
      await replaceRule(tx, ctx.orgId, input);
      await endConditionsOf(tx, ctx.orgId, input.id);
    }),
  );

/** Enables or disables a rule. Disabling it ends its open conditions. */
export const setEnabled = sessionProcedure('manager')
  .input(setEnabledInput)
  .mutation(({ ctx, input: { id, is_enabled: isEnabled } }) =>
    changeRule(ctx, id, async (tx) => {
      await setRuleEnabled(tx, ctx.orgId, { id, isEnabled });
      if (!isEnabled) await endConditionsOf(tx, ctx.orgId, id);
    }),
  );

/** Deletes a rule, which can be restored for 30 days. Its alerts stay in the history; alerts of open conditions end. */
export const deleteRule = sessionProcedure('manager')
  .input(ruleIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
      await recordRuleChange(tx, ctx, { action: 'deleted', before: await requireRule(tx, ctx.orgId, id) });
      await endConditionsOf(tx, ctx.orgId, id);
      await retireRule(tx, ctx.orgId, id);
    });
  });

/**
 * Restores a rule that was deleted in the last 30 days, under its id. 404 if there is none, 409 if the organization has reached
 * the maximum. A rule that is there counts as restored.
 */
export const restoreRule = sessionProcedure('manager')
  .input(ruleIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<RuleView> => {
    const { orgId } = ctx;
    return transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
      const live = await findRules(tx, orgId);
      const isLive = live.some((rule) => rule.id === id);
      if (!isLive && live.length >= rulesMax) throw refusal('limit_reached', { max: rulesMax, what: 'rules' });
      const isRestored = !isLive && (await restoreRuleRow(tx, orgId, id));
      const row = await requireRule(tx, orgId, id);
      if (isRestored) await recordRuleChange(tx, ctx, { action: 'restored', after: row });
      return ruleView(row);
    });
  });

function changeRule(
  ctx: Scope & { services: Services },
  id: number,
  change: (tx: TransactionClient, before: RuleRow) => Promise<void>,
): Promise<RuleView> {
  return transactionUnderLock(ctx.services.db, alertingOf(ctx), async (tx) => {
    const before = await requireRule(tx, ctx.orgId, id);
    await change(tx, before);
    const after = await requireRule(tx, ctx.orgId, id);
    await recordRuleChange(tx, ctx, { action: 'updated', before, after });
    return ruleView(after);
  });
}

type RuleChange = { action: 'created' | 'updated' | 'deleted' | 'restored'; before?: RuleRow; after?: RuleRow };

/** Writes the entry of the activity log about a changed rule. */
export async function recordRuleChange(tx: TransactionClient, scope: Scope, { action, before, after }: RuleChange) {
  const { id: objectId = 0, name: objectName = '' } = after ?? before ?? {};
  const states = {
    before: before && (await ruleFacts(tx, scope.orgId, before)),
    after: after && (await ruleFacts(tx, scope.orgId, after)),
  };
  await recordDifference(tx, scope, { kind: 'alert_rule', objectId, objectName, action, ...states });
}

async function proveReferences(tx: TransactionClient, orgId: number, rule: RuleInput): Promise<void> {
  const missing = await missingReferences(tx, orgId, rule);
  if (missing.length === 0) return;
  throw validationError(missing.map(({ field, id }) => fieldError(field, 'not_found', { value: id })));
}

async function requireRule(db: Queries, orgId: number, id: number): Promise<RuleRow> {
  const row = await findRule(db, orgId, id);
  if (!row) throw refusal('not_found', { what: 'Rule' });
  return row;
}
