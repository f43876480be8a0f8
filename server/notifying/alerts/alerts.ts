import { refusal } from '../../kernel/errors.js';
import { roleIncludes } from '../../people/auth/scopes.js';
import { router, sessionProcedure } from '../../trpc.js';
import {
  acknowledgeAlerts,
  type AlertDelivery,
  type AlertRow,
  findAlert,
  findAlertDeliveries,
  findAlertRules,
  findAlerts,
  type OpenCount,
  readOpenCount,
} from './queries.js';
import { acknowledgeInput, alertIdInput, listAlertsInput } from './schemas.js';

/** An alert for the app. `data` is the event's, as webhooks receive it. */
type AlertView = ReturnType<typeof alertView>;

function alertView({ rule_id: ruleId, rule_name: ruleName, ...row }: AlertRow) {
  return {
    ...row,
    /** `id` is null once the rule is deleted. */
    rule: { id: ruleId, name: ruleName },
    is_open: row.ended_at === null && row.acknowledged_at === null,
  };
}

/** Lists the organization's alerts, newest first. `next_before_id` continues the list; null at its end. */
const listAlerts = sessionProcedure('viewer')
  .input(listAlertsInput)
  .query(async ({ ctx, input }): Promise<{ data: AlertView[]; next_before_id: number | null }> => {
    const rows = await findAlerts(ctx.services.db, ctx.orgId, input);
    const last = rows.length === input.limit ? rows.at(-1) : undefined;
    return { data: rows.map(alertView), next_before_id: last?.id ?? null };
  });

/** Returns one alert, with its webhook deliveries for administrators and null for others. */
const getAlert = sessionProcedure('viewer')
  .input(alertIdInput)
  .query(async ({ ctx, input }): Promise<AlertView & { deliveries: AlertDelivery[] | null }> => {
    const { db } = ctx.services;
    const row = await findAlert(db, ctx.orgId, input.id);
    if (!row) throw refusal('not_found', { what: 'Alert' });
    const isAdmin = roleIncludes(ctx.actor.role, 'admin');
    return { ...alertView(row), deliveries: isAdmin ? await findAlertDeliveries(db, ctx.orgId, input.id) : null };
  });

/** Returns the names of the rules with alerts in the app, as filter options; at most 100. */
const listAlertRules = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<{ data: { id: number; name: string }[] }> => ({
    data: await findAlertRules(ctx.services.db, ctx.orgId),
  }),
);

/** Returns the number of open alerts. `scans.live` sends it whenever it may have changed. */
const openCount = sessionProcedure('viewer').query(
  ({ ctx }): Promise<OpenCount> => readOpenCount(ctx.services.db, ctx.orgId),
);

/** Acknowledges alerts. The first acknowledgement of an alert is kept. Ids of other organizations are ignored. */
const acknowledge = sessionProcedure('operator')
  .input(acknowledgeInput)
  .mutation(async ({ ctx, input }): Promise<{ acknowledged: number }> => {
    const { userId } = ctx.actor;
    return { acknowledged: await acknowledgeAlerts(ctx.services.db, ctx.orgId, { ids: input.ids, userId }) };
  });

/** Alerts that rules have opened; for all members. */
export const alertsRouter = router({
  list: listAlerts,
  get: getAlert,
  rules: listAlertRules,
  openCount,
  acknowledge,
});
