import { router } from '../../trpc.js';
import { restoreChange } from './restore-change.js';
import { listTrash, restoreItems } from './procedures.js';

/** What was deleted in the last 30 days, and what can be taken back. */
export const trashRouter = router({ list: listTrash, restore: restoreItems, restoreChange });
