import { router } from '../../trpc.js';
import { listTrash, restoreItems } from './procedures.js';

/** The trash: rows that were deleted in the last 30 days. */
export const trashRouter = router({ list: listTrash, restore: restoreItems });
