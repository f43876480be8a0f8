import { router } from '../trpc.js';
import { followPositions } from './live.js';
import { listRejectedByReader, listRejectedMessages, listUnknownTags } from './lists.js';
import { resolveScans } from './resolve.js';
import { submitScans } from './submit.js';
import { dismissUnknown, listUnknownValues } from './unknown-values.js';

/** What was seen: handheld submissions, positions as they change, and what of the readers' reads fell outside. */
export const scansRouter = router({
  submit: submitScans,
  resolve: resolveScans,
  live: followPositions,
  unknownTags: listUnknownTags,
  rejectedMessages: listRejectedMessages,
  rejectedByReader: listRejectedByReader,
  unknownValues: listUnknownValues,
  dismissUnknown,
});
