import { router } from '../../trpc.js';
import { removePlan, setPlan, setShapes } from './change.js';
import { findAssetOnPlan, getPlan, listPlans, planState } from './read.js';

export const floorPlansRouter = router({
  get: getPlan,
  state: planState,
  list: listPlans,
  findAsset: findAssetOnPlan,
  set: setPlan,
  remove: removePlan,
  setShapes,
});
