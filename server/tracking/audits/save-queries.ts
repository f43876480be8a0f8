import type { TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder, instant } from '../../kernel/database/columns.js';
import { sightingOf } from '../../kernel/database/placements.js';
import type { AuditOutcome } from './schemas.js';

/** How many audits, and how many items of audits, are kept for an organization. */
export const auditsKeptMax = 10_000;
export const auditItemsKeptMax = 1_000_000;

export type NewAudit = { id: string; locationId: number; startedAtMs: number; userId: number };

/** The expected assets, the assets that were seen, and the unassigned tags, each once. */
export type NewItems = { expected: readonly number[]; seen: readonly number[]; unassigned: readonly string[] };

export type AuditCounts = Record<AuditOutcome, number>;

/**
 * Stores an audit with its items. Leaves out expected assets that are deleted or belong to another organization.
 * Records names and last locations as of now, so call it before the assets are placed.
 */
export async function insertAudit(
  tx: TransactionClient,
  orgId: number,
  { audit, items }: { audit: NewAudit; items: NewItems },
): Promise<AuditCounts> {
  await tx.$executeRaw`
    INSERT INTO audits (org_id, id, location_id, started_at, saved_at, saved_by, found, missing, unexpected, unassigned)
    VALUES (${orgId}::int, ${audit.id}, ${audit.locationId}::int, ${instant(audit.startedAtMs)}, ${currentInstant},
            ${audit.userId}::int, 0, 0, 0, 0)`;
  const [counts] = await tx.$queryRaw<[AuditCounts]>`
    WITH seen AS (
      SELECT DISTINCT g.id FROM unnest(${items.seen}::int[]) AS g (id)
    ), expected AS (
      SELECT DISTINCT g.id FROM unnest(${items.expected}::int[]) AS g (id)
    ), judged AS (
      SELECT coalesce(e.id, s.id) AS asset_id,
             CASE WHEN e.id IS NULL THEN 'unexpected' WHEN s.id IS NULL THEN 'missing' ELSE 'found' END AS outcome
        FROM expected e
        FULL JOIN seen s ON s.id = e.id
    ), item AS (
      SELECT j.outcome, a.id AS asset_id, a.name, a.external_key, p.location_id, l.name AS location_name,
             ${sightingOf(orgId, 'p')} AS asset_last_seen
        FROM judged j
        JOIN assets a ON a.org_id = ${orgId} AND a.id = j.asset_id AND a.deleted_at IS NULL
        LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = a.id
        LEFT JOIN locations l ON l.org_id = ${orgId} AND l.id = p.location_id
      UNION ALL
      SELECT DISTINCT 'unassigned', NULL::int, g.value COLLATE "C", NULL, NULL::int, NULL, NULL::timestamptz
        FROM unnest(${items.unassigned}::text[]) AS g (value)
    ), inserted AS (
      INSERT INTO audit_items (org_id, audit_id, position, outcome, asset_id, name, external_key, last_location_id,
                               last_location_name, last_seen_at)
      SELECT ${orgId}::int, ${audit.id},
             row_number() OVER (ORDER BY array_position(ARRAY['missing', 'unexpected', 'unassigned', 'found'], i.outcome),
                                         ${inNaturalOrder('i.name')}, i.asset_id),
             i.outcome, i.asset_id, i.name, i.external_key, i.location_id, i.location_name, i.asset_last_seen
        FROM item i
      RETURNING outcome
    )
    SELECT count(*) FILTER (WHERE outcome = 'found')::int AS found,
           count(*) FILTER (WHERE outcome = 'missing')::int AS missing,
           count(*) FILTER (WHERE outcome = 'unexpected')::int AS unexpected,
           count(*) FILTER (WHERE outcome = 'unassigned')::int AS unassigned
      FROM inserted`;
  await tx.$executeRaw`
    UPDATE audits
       SET found = ${counts.found}::int, missing = ${counts.missing}::int, unexpected = ${counts.unexpected}::int,
           unassigned = ${counts.unassigned}::int
     WHERE org_id = ${orgId} AND id = ${audit.id}`;
  return counts;
}

/** Deletes the oldest audits above the organization's maximum. The caller holds the organization's lock of audits. */
export async function removeSurplusAudits(
  tx: TransactionClient,
  orgId: number,
  { auditsMax, itemsMax }: { auditsMax: number; itemsMax: number },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM audits a
     USING (
       SELECT o.id,
              row_number() OVER newest AS ordinal,
              sum(o.found + o.missing + o.unexpected + o.unassigned) OVER newest AS items
         FROM audits o
        WHERE o.org_id = ${orgId}
       WINDOW newest AS (ORDER BY o.saved_at DESC, o.id DESC)
     ) kept
     WHERE a.org_id = ${orgId} AND a.id = kept.id AND kept.ordinal > 1
       AND (kept.ordinal > ${auditsMax}::int OR kept.items > ${itemsMax}::int)`;
}
