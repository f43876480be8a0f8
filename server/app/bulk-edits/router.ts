import { router } from '../../trpc.js';
import { applyEdit, previewEdit } from './procedures.js';

export const bulkEditsRouter = router({ preview: previewEdit, edit: applyEdit });
