import { router } from '../trpc.js';
import { searchEverything } from './everything.js';

/** What the app's search box asks. */
export const searchRouter = router({
  everything: searchEverything,
});
