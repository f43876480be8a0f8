import { router } from '../trpc.js';
import { acknowledge, listAlerts, openCount } from './alerts.js';

/** What rules have reported; for everybody in the organization. */
export const alertsRouter = router({ list: listAlerts, openCount, acknowledge });
