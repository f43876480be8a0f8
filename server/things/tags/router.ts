import { router } from '../../trpc.js';
import { addAssetTag, removeAssetTag } from './asset-tags.js';
import { addLocationTag, removeLocationTag } from './location-tags.js';

/** Tags are attached and detached only through their parents (contract 5.12). */
export const tagsRouter = router({
  addToAsset: addAssetTag,
  removeFromAsset: removeAssetTag,
  addToLocation: addLocationTag,
  removeFromLocation: removeLocationTag,
});
