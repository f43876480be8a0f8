import { router } from '../../trpc.js';
import {
  createScheduled,
  listScheduled,
  openScheduled,
  removeScheduled,
  setScheduledPaused,
  stopScheduled,
} from './procedures.js';

/** Emails of saved views and reports on a schedule; each person has their own. */
export const scheduledEmailsRouter = router({
  list: listScheduled,
  create: createScheduled,
  setPaused: setScheduledPaused,
  delete: removeScheduled,
  opened: openScheduled,
  stop: stopScheduled,
});
