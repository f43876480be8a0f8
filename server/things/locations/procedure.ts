import { type ContractError, refusal } from '../../kernel/errors.js';
import type { Queries } from '../../kernel/database/client.js';
import type { KeyConflict } from '../tags/queries.js';
import { rowProcedure } from '../../trpc.js';
import { locationExists } from './queries.js';

export function locationNotFound(): ContractError {
  return refusal('not_found', { what: 'Location' });
}

export function locationKeyTaken(key: string, conflict: KeyConflict): ContractError {
  return refusal('key_taken', { kind: 'location', key }, conflict);
}

/**
 * Ensures that a location is live; accepts undefined and null, which stand for no particular location.
 *
 * @throws ContractError `not_found`
 */
export async function requireLocation(db: Queries, orgId: number, id: number | null | undefined): Promise<void> {
  if (id !== null && id !== undefined && !(await locationExists(db, orgId, id))) throw locationNotFound();
}

/** A procedure about one location, given by `location_id`. */
export const locationProcedure = rowProcedure({ key: 'location_id', what: 'Location', exists: locationExists });
