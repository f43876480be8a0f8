import { ContractError } from '../errors.js';
import type { KeyConflict } from '../tags/queries.js';
import { rowProcedure } from '../trpc.js';
import { assetExists } from './queries.js';

export function assetNotFound(): ContractError {
  return new ContractError('not_found', 'Asset not found');
}

export function assetKeyTaken(key: string, conflict: KeyConflict): ContractError {
  return new ContractError('conflict', `asset with external_key ${key} already exists`, conflict);
}

/** A procedure about one asset, given by `asset_id`. */
export const assetProcedure = rowProcedure({ key: 'asset_id', detail: 'Asset not found', exists: assetExists });
