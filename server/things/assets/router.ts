import { router } from '../../trpc.js';
import { setBelongsTo } from './belongs-to.js';
import { deleteMany } from './bulk.js';
import { createManyAssets } from './create-many.js';
import { createAsset } from './create-asset.js';
import { createAssetInApp } from './create-in-app.js';
import { deleteAsset } from './delete-asset.js';
import { listDetailKeys, listDetailValues } from './detail-keys.js';
import { exportAssetsPage } from './export-page.js';
import { getAsset } from './get-asset.js';
import { getAssetDetail } from './get-detail.js';
import { getEvidence } from './get-evidence.js';
import { getTelemetry } from './get-telemetry.js';
import { getTelemetryHours } from './get-telemetry-hours.js';
import { listAssetHistory } from './list-asset-history.js';
import { listAssets } from './list-assets.js';
import { listManyAssets } from './list-many.js';
import { listAssetTable } from './list-table.js';
import { listVisits } from './list-visits.js';
import { addPhoto, listPhotos, removePhoto } from './photos.js';
import { renameAsset } from './rename-asset.js';
import { updateAsset } from './update-asset.js';

export const assetsRouter = router({
  list: listAssets,
  create: createAsset,
  createInApp: createAssetInApp,
  createMany: createManyAssets,
  get: getAsset,
  update: updateAsset,
  delete: deleteAsset,
  rename: renameAsset,
  history: listAssetHistory,
  exportPage: exportAssetsPage,
  table: listAssetTable,
  detailKeys: listDetailKeys,
  detailValues: listDetailValues,
  many: listManyAssets,
  detail: getAssetDetail,
  visits: listVisits,
  evidence: getEvidence,
  telemetry: getTelemetry,
  telemetryHours: getTelemetryHours,
  photos: listPhotos,
  addPhoto,
  removePhoto,
  deleteMany,
  setBelongsTo,
});
