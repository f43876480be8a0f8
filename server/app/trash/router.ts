import { router } from '../../trpc.js';
import { restoreChange } from './restore-change.js';
import { listTrash, restoreItems } from './procedures.js';

/** The trash: rows that were deleted in the last 30 days, and changes that can be undone. */
export const trashRouter = router({ list: listTrash, restore: restoreItems, restoreChange });
