import { router } from '../../trpc.js';
import { followPositions } from './live.js';
import { listRejectedMessages, listUnknownTags } from './lists.js';
import { listLocationTags } from './location-tags.js';
import { resolveScans } from './resolve.js';
import { submitScans } from './submit.js';
import { dismissUnknown, listUnknownValues } from './unknown-values.js';

/** Handheld submissions, live positions, unknown tags and rejected messages. */
export const scansRouter = router({
  submit: submitScans,
  resolve: resolveScans,
  locationTags: listLocationTags,
  live: followPositions,
  unknownTags: listUnknownTags,
  rejectedMessages: listRejectedMessages,
  unknownValues: listUnknownValues,
  dismissUnknown,
});
