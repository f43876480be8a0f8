import { router } from '../../trpc.js';
import { acknowledge, getAlert, listAlertRules, listAlerts, openCount } from './alerts.js';

/** Alerts that rules have opened; for all members. */
export const alertsRouter = router({
  list: listAlerts,
  get: getAlert,
  rules: listAlertRules,
  openCount,
  acknowledge,
});
