import { ContractError } from '../errors.js';
import type { KeyConflict } from '../tags/queries.js';
import { rowProcedure } from '../trpc.js';
import { locationExists } from './queries.js';

export function locationNotFound(): ContractError {
  return new ContractError('not_found', 'Location not found');
}

export function locationKeyTaken(key: string, conflict: KeyConflict): ContractError {
  return new ContractError('conflict', `location with external_key ${key} already exists`, conflict);
}

/** A procedure about one location, given by `location_id`. */
export const locationProcedure = rowProcedure({
  key: 'location_id',
  detail: 'Location not found',
  exists: locationExists,
});
