import { router } from '../trpc.js';
import { listAssetLocations } from './list-asset-locations.js';

export const reportsRouter = router({
  assetLocations: listAssetLocations,
});
