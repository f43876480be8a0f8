import { router } from '../trpc.js';
import { listRejectedMessages, listUnknownTags } from './lists.js';
import { submitScans } from './submit.js';

/** What was seen: handheld submissions, and what of the readers' reads fell outside. */
export const scansRouter = router({
  submit: submitScans,
  unknownTags: listUnknownTags,
  rejectedMessages: listRejectedMessages,
});
