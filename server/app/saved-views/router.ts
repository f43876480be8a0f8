import { router } from '../../trpc.js';
import { createView, listViews, removeView, restoreView, updateView } from './procedures.js';

export const savedViewsRouter = router({
  list: listViews,
  create: createView,
  update: updateView,
  delete: removeView,
  restore: restoreView,
});
