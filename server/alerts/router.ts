import { router } from '../trpc.js';
import { acknowledge, getAlert, listAlertRules, listAlerts, openCount } from './alerts.js';

/** What rules have reported; for everybody in the organization. */
export const alertsRouter = router({
  list: listAlerts,
  get: getAlert,
  rules: listAlertRules,
  openCount,
  acknowledge,
});
