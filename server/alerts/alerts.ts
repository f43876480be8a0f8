import { formatNullableTimestamp, formatTimestamp } from '../time.js';
import { sessionProcedure } from '../trpc.js';
import { acknowledgeAlerts, type AlertRow, countOpen, findAlerts } from './queries.js';
import { acknowledgeInput, listAlertsInput } from './schemas.js';

/** An alert as the app reads it. `data` is that of the event, as webhooks receive it. */
export type AlertView = ReturnType<typeof alertView>;

function alertView({ rule_id: ruleId, rule_name: ruleName, ...row }: AlertRow) {
  return {
    ...row,
    /** Its `id` is null once the rule is deleted. */
    rule: { id: ruleId, name: ruleName },
    is_open: row.ended_at === null && row.acknowledged_at === null,
    opened_at: formatTimestamp(row.opened_at),
    ended_at: formatNullableTimestamp(row.ended_at),
    acknowledged_at: formatNullableTimestamp(row.acknowledged_at),
  };
}

const openShownMax = 999;

/** The organization's alerts, newest first. `next_before_id` continues the list; null at its end. */
export const listAlerts = sessionProcedure('viewer')
  .input(listAlertsInput)
  .query(async ({ ctx, input }): Promise<{ data: AlertView[]; next_before_id: number | null }> => {
    const rows = await findAlerts(ctx.services.db, ctx.orgId, input);
    const last = rows.length === input.limit ? rows.at(-1) : undefined;
    return { data: rows.map(alertView), next_before_id: last?.id ?? null };
  });

/** How many alerts are open; `is_more` where there are more than 999. Reads an index alone, so it can be asked often. */
export const openCount = sessionProcedure('viewer').query(async ({ ctx }) => {
  const count = await countOpen(ctx.services.db, ctx.orgId, openShownMax + 1);
  return { count: Math.min(count, openShownMax), is_more: count > openShownMax };
});

/** Acknowledges alerts; who did it first, and when, is kept. Ids of other organizations are passed over. */
export const acknowledge = sessionProcedure('operator')
  .input(acknowledgeInput)
  .mutation(async ({ ctx, input }): Promise<{ acknowledged: number }> => {
    const { userId } = ctx.actor;
    return { acknowledged: await acknowledgeAlerts(ctx.services.db, ctx.orgId, { ids: input.ids, userId }) };
  });
