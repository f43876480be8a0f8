import { router } from '../../trpc.js';
import { createKind, listKinds, removeKind, setAssetKind, updateKind } from './procedures.js';

export const assetKindsRouter = router({
  list: listKinds,
  create: createKind,
  update: updateKind,
  delete: removeKind,
  setOfAsset: setAssetKind,
});
