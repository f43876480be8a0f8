import type { TransactionClient } from '../database/client.js';
import { currentInstant, epochMs } from '../database/columns.js';
import type { SubmittedRead, SubmitResult } from './schemas.js';

/**
 * Inserts the row of a submission. Returns false if one with this id exists, and waits for one that is just being
 * stored.
 */
export async function claimSubmission(tx: TransactionClient, orgId: number, submissionId: string): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    INSERT INTO scan_submissions (org_id, submission_id, results)
    VALUES (${orgId}::int, ${submissionId}, '[]')
    ON CONFLICT (org_id, submission_id) DO NOTHING`;
  return claimed > 0;
}

export async function findSubmissionResults(
  tx: TransactionClient,
  orgId: number,
  submissionId: string,
): Promise<SubmitResult[]> {
  const rows = await tx.$queryRaw<[{ results: SubmitResult[] }]>`
    SELECT results FROM scan_submissions WHERE org_id = ${orgId} AND submission_id = ${submissionId}`;
  return rows[0].results;
}

export async function saveSubmissionResults(
  tx: TransactionClient,
  orgId: number,
  { submissionId, results }: { submissionId: string; results: readonly SubmitResult[] },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE scan_submissions
       SET results = ${JSON.stringify(results)}::jsonb
     WHERE org_id = ${orgId} AND submission_id = ${submissionId}`;
}

export async function locationIsLive(tx: TransactionClient, orgId: number, locationId: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM locations WHERE org_id = ${orgId} AND id = ${locationId} AND deleted_at IS NULL`;
  return rows.length > 0;
}

/** The asset of a read, if any; the tag of a location is known but has no asset. */
export type ResolvedRead = { assetId: number | null; isKnownTag: boolean };

/**
 * Finds the assets of reads, in their order. A value matches as stored first, otherwise by normal form; without a type,
 * in the order RFID, BLE, barcode, and an asset's tag before a location's.
 */
export async function resolveSubmittedReads(
  tx: TransactionClient,
  orgId: number,
  reads: readonly SubmittedRead[],
): Promise<ResolvedRead[]> {
  const rows = await tx.$queryRaw<{ asset_id: number | null; is_known: boolean }[]>`
    SELECT coalesce(g.asset_id, t.asset_id) AS asset_id, t.id IS NOT NULL OR g.asset_id IS NOT NULL AS is_known
      FROM unnest(
             ${reads.map(({ asset_id }) => asset_id ?? null)}::int[],
             ${reads.map(({ tag_type }) => tag_type ?? null)}::text[],
             ${reads.map(({ value }) => value ?? null)}::text[]
           ) WITH ORDINALITY AS g (asset_id, tag_type, value, ordinal)
      LEFT JOIN LATERAL (
        SELECT m.id, m.asset_id
          FROM (VALUES ('rfid', 1), ('ble', 2), ('barcode', 3)) AS k (tag_type, rank)
          JOIN tags m
            ON m.org_id = ${orgId}
           AND m.tag_type = k.tag_type
           AND tag_normal_form(m.tag_type, m.value) = tag_normal_form(k.tag_type, g.value)
           AND m.deleted_at IS NULL
         WHERE g.value IS NOT NULL
           AND (g.tag_type IS NULL OR g.tag_type = k.tag_type)
         ORDER BY m.value <> g.value COLLATE "C", m.asset_id IS NULL, k.rank, m.id
         LIMIT 1
      ) t ON true
     ORDER BY g.ordinal`;
  return rows.map(({ asset_id, is_known }) => ({ assetId: asset_id, isKnownTag: is_known }));
}

/**
 * Returns those of the assets that are live, ordered by id, and locks them against deletion until the end of the
 * transaction.
 */
export async function lockLiveAssets(
  tx: TransactionClient,
  orgId: number,
  assetIds: readonly number[],
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id
      FROM assets
     WHERE org_id = ${orgId} AND id = ANY (${assetIds}::int[]) AND deleted_at IS NULL
     ORDER BY id
       FOR SHARE`;
  return rows.map(({ id }) => id);
}

/** Returns the database's clock, and the time before which events are not kept. */
export async function submissionInstants(
  tx: TransactionClient,
  retentionMs: number,
): Promise<{ nowMs: number; retentionBeginMs: number }> {
  const rows = await tx.$queryRaw<[{ now_ms: number }]>`
    SELECT ${epochMs('at')} AS now_ms FROM (SELECT ${currentInstant} AS at) present`;
  return { nowMs: rows[0].now_ms, retentionBeginMs: rows[0].now_ms - retentionMs };
}
