import type { TransactionClient } from '../../kernel/database/client.js';

/** The ids of the sample rows of an organization, including rows that were deleted. */
export type Sample = { locations: number[]; assets: number[] };

/** Returns the sample rows, if any, and locks them until the end of the transaction. */
export async function lockSample(tx: TransactionClient, orgId: number): Promise<Sample> {
  const [row] = await tx.$queryRaw<Sample[]>`
    SELECT sample_location_ids AS locations, sample_asset_ids AS assets
      FROM organizations
     WHERE id = ${orgId}::int
       FOR NO KEY UPDATE`;
  return row ?? { locations: [], assets: [] };
}

export async function noteSample(tx: TransactionClient, orgId: number, sample: Sample): Promise<void> {
  await tx.$executeRaw`
    UPDATE organizations
       SET sample_location_ids = ${sample.locations}::int[], sample_asset_ids = ${sample.assets}::int[]
     WHERE id = ${orgId}::int`;
}

export async function hasAssets(tx: TransactionClient, orgId: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM assets WHERE org_id = ${orgId}::int AND deleted_at IS NULL LIMIT 1`;
  return rows.length > 0;
}
