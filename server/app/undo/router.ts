import { router } from '../../trpc.js';
import { undoBatch, undoChanges } from './procedures.js';

/** Undo of changes that were made together, and of single ones. */
export const undoRouter = router({ batch: undoBatch, changes: undoChanges });
