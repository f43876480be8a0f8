import { router } from '../../trpc.js';
import { compareContents } from './compare.js';
import { listContents, listContentsAt, listPastContainers, summarizeContainer } from './lists.js';
import { suggestContents } from './suggestions.js';
import { putAssetsIn, submitPutIn, takeAssetsOut, undoPutIn } from './put-in.js';

export const containersRouter = router({
  putIn: putAssetsIn,
  takeOut: takeAssetsOut,
  undoPutIn,
  submit: submitPutIn,
  contents: listContents,
  summary: summarizeContainer,
  at: listContentsAt,
  past: listPastContainers,
  compare: compareContents,
  suggestions: suggestContents,
});
