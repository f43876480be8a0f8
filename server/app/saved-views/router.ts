import { router } from '../../trpc.js';
import { createView, listViews, removeView, restoreView } from './procedures.js';

export const savedViewsRouter = router({
  list: listViews,
  create: createView,
  delete: removeView,
  restore: restoreView,
});
