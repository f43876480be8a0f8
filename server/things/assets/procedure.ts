import { type ContractError, refusal } from '../../kernel/errors.js';
import type { KeyConflict } from '../tags/queries.js';
import { rowProcedure } from '../../trpc.js';
import { assetExists } from './queries.js';

export function assetNotFound(): ContractError {
  return refusal('not_found', { what: 'Asset' });
}

export function assetKeyTaken(key: string, conflict: KeyConflict): ContractError {
  return refusal('key_taken', { kind: 'asset', key }, conflict);
}

/** A procedure about one asset, given by `asset_id`. */
export const assetProcedure = rowProcedure({ key: 'asset_id', what: 'Asset', exists: assetExists });
