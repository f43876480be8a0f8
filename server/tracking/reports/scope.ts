import { assetNotFound } from '../../things/assets/procedure.js';
import type { Database } from '../../kernel/database/client.js';
import { locationNotFound } from '../../things/locations/procedure.js';
import { locationExists } from '../../things/locations/queries.js';

/**
 * Returns the location of a report, null for all.
 *
 * @throws ContractError `not_found` if the organization has no such location
 */
export async function existingLocation(db: Database, orgId: number, id: number | undefined): Promise<number | null> {
  if (id === undefined) return null;
  if (!(await locationExists(db, orgId, id))) throw locationNotFound();
  return id;
}

/**
 * Returns the asset of a report, with its name.
 *
 * @throws ContractError `not_found` if the organization has no such asset
 */
export async function existingAsset(db: Database, orgId: number, id: number): Promise<{ id: number; name: string }> {
  const asset = await db.models((models) =>
    models.asset.findFirst({ where: { orgId, id, deletedAt: null }, select: { id: true, name: true } }),
  );
  if (!asset) throw assetNotFound();
  return asset;
}
