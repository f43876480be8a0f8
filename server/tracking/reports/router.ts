import { router } from '../../trpc.js';
import { reportDwell } from './dwell.js';
import { reportFlow } from './flow.js';
import { listAssetLocations } from './list-asset-locations.js';
import { reportMissing } from './missing.js';
import { reportUnseen } from './unseen.js';
import { reportUse } from './use.js';

/** The present positions of assets, for integrators, and reports about a period. */
export const reportsRouter = router({
  assetLocations: listAssetLocations,
  dwell: reportDwell,
  flow: reportFlow,
  use: reportUse,
  unseen: reportUnseen,
  missing: reportMissing,
});
