import { router } from '../trpc.js';
import { listTrash, restoreItems } from './procedures.js';

/** What was deleted in the last 30 days. */
export const trashRouter = router({ list: listTrash, restore: restoreItems });
