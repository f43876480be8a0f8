import { router } from '../../trpc.js';
import {
  createScheduled,
  listScheduled,
  removeScheduled,
  sendScheduled,
  setScheduledPaused,
  setScheduledRecipients,
  stopScheduled,
} from './procedures.js';

/** Emails of saved views and reports on a schedule; each person has their own. */
export const scheduledEmailsRouter = router({
  list: listScheduled,
  create: createScheduled,
  setPaused: setScheduledPaused,
  delete: removeScheduled,
  sendNow: sendScheduled,
  setRecipients: setScheduledRecipients,
  stop: stopScheduled,
});
