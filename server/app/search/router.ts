import { router } from '../../trpc.js';
import { searchEverything } from './everything.js';

/** The procedure of the app's search box. */
export const searchRouter = router({
  everything: searchEverything,
});
