import { router } from '../../trpc.js';
import { applyEdit, listEdits, previewEdit, undoEdit } from './procedures.js';

export const bulkEditsRouter = router({
  list: listEdits,
  preview: previewEdit,
  edit: applyEdit,
  undo: undoEdit,
});
