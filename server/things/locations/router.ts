import { router } from '../../trpc.js';
import { locationAccuracy } from './accuracy.js';
import { createLocation } from './create-location.js';
import { deleteLocation } from './delete-location.js';
import { exportLocationsPage } from './export-page.js';
import { expectedAssets } from './expected-assets.js';
import { getLocation } from './get-location.js';
import { listContents } from './list-contents.js';
import { listDepartures } from './list-departures.js';
import { listLevel } from './list-level.js';
import { listLocations } from './list-locations.js';
import { listLocationAncestors, listLocationChildren, listLocationDescendants } from './list-tree.js';
import { locationPath } from './location-path.js';
import { locationReaders } from './location-readers.js';
import { renameLocation } from './rename-location.js';
import { searchLocations } from './search-locations.js';
import { getFreeMark, setFreeMark } from './set-free.js';
import { listSignatures, resetSignatures } from './signatures.js';
import { updateLocation } from './update-location.js';

export const locationsRouter = router({
  freeMark: getFreeMark,
  setFreeMark,
  list: listLocations,
  create: createLocation,
  get: getLocation,
  update: updateLocation,
  delete: deleteLocation,
  rename: renameLocation,
  ancestors: listLocationAncestors,
  children: listLocationChildren,
  descendants: listLocationDescendants,
  search: searchLocations,
  level: listLevel,
  path: locationPath,
  exportPage: exportLocationsPage,
  contents: listContents,
  departures: listDepartures,
  readers: locationReaders,
  expected: expectedAssets,
  accuracy: locationAccuracy,
  signatures: listSignatures,
  resetSignatures,
});
