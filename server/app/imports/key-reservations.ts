import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { type LockClass, lockStatement } from '../../kernel/database/locks.js';
import { targets } from './matching.js';
import type { Lease } from './queries.js';
import type { Job } from './staging.js';

// An import needs seconds to write its rows. If it took its keys from the free ranges in the same transaction, every
// create without a key would wait for it. So it reserves its key slots in a transaction of milliseconds, and records
// them with the import. If the import fails, they are released.

const series = {
  assets: { lock: 'assetKeys', kind: 'asset', prefix: 'ASSET-' },
  locations: { lock: 'locationKeys', kind: 'location', prefix: 'LOC-' },
} as const satisfies Record<Job['kind'], { lock: LockClass; kind: string; prefix: string }>;

/**
 * Gives the staged rows without a key the lowest free ones in the order of their lines, and reserves these and the
 * slots of the keys that the file gives to new rows. The key series is locked while the slots are chosen, and not while
 * they are used.
 *
 * @param db runs the short transaction separately from `tx`
 * @returns false if the lease is no longer valid
 */
export async function reserveKeys(
  { db, tx }: { db: Database; tx: TransactionClient },
  job: Job,
  lease: Lease,
): Promise<boolean> {
  const { prefix } = series[job.kind];
  const [needed] = await tx.$queryRaw<{ wanting: number; given: string }[]>`
    SELECT count(*) FILTER (WHERE external_key IS NULL)::int AS wanting,
           coalesce(array_agg(key_slot(${prefix}, external_key)) FILTER (WHERE key_slot(${prefix}, external_key) IS NOT NULL),
                    '{}')::text AS given
      FROM staged
     WHERE id IS NULL`;
  const { wanting, given } = needed ?? { wanting: 0, given: '{}' };
  if (wanting === 0 && given === '{}') return true;
  const slots = await takeSlots(db, job, { lease, wanting, given });
  if (slots === undefined) return false;
  await tx.$executeRaw`
    UPDATE staged s
       SET external_key = ${prefix} || lpad(chosen.slot::text, greatest(4, length(chosen.slot::text)), '0')
      FROM (SELECT line, row_number() OVER (ORDER BY line) AS n FROM staged WHERE id IS NULL AND external_key IS NULL) wanting
      JOIN unnest(${slots}::bigint[]) WITH ORDINALITY AS chosen (slot, n) USING (n)
     WHERE s.line = wanting.line`;
  return true;
}

type Needed = { lease: Lease; wanting: number; given: string };

/**
 * Returns the slots for rows without a key as an array literal, the lowest first; undefined if the lease is not valid.
 */
async function takeSlots(
  db: Database,
  { kind, orgId }: Job,
  { lease, wanting, given }: Needed,
): Promise<string | undefined> {
  const { lock, kind: name } = series[kind];
  return db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement(lock, orgId));
    const rows = await tx.$queryRaw<{ slots: string; taken: string | null }[]>`
      WITH given AS (
        SELECT DISTINCT unnest(${given}::bigint[]) AS slot
      ), needed AS (
        SELECT ${wanting}::int + (SELECT count(*) FROM given) AS n
      ), ranges AS (
        SELECT first_slot, last_slot,
               sum(last_slot - first_slot + 1) OVER (ORDER BY last_slot) - (last_slot - first_slot + 1) AS before
          FROM free_key_slots
         WHERE org_id = ${orgId} AND kind = ${name}
      ), chosen AS (
        SELECT slot
          FROM ranges
         CROSS JOIN needed
         CROSS JOIN LATERAL generate_series(first_slot, least(last_slot, first_slot + needed.n - 1)) AS candidates (slot)
         WHERE before < needed.n
           AND NOT EXISTS (SELECT FROM given WHERE given.slot = candidates.slot)
         ORDER BY slot
         LIMIT ${wanting}::int
      ), reserved AS (
        UPDATE imports
           SET reserved_slots = ARRAY(SELECT slot FROM chosen UNION ALL SELECT slot FROM given)
         WHERE org_id = ${orgId} AND id = ${lease.importId}::uuid AND lease_token = ${lease.token}::uuid
        RETURNING reserved_slots
      )
      SELECT ARRAY(SELECT slot FROM chosen ORDER BY slot)::text AS slots,
             take_key_slots(${orgId}::int, ${name}, reserved_slots)::text AS taken
        FROM reserved`;
    return rows[0]?.slots;
  });
}

/**
 * Releases the unused reserved slots of an import, except slots that live rows have taken meanwhile, or that became
 * free.
 */
export async function releaseKeys(
  db: Database,
  { orgId, importId, kind }: Pick<Job, 'orgId' | 'importId' | 'kind'>,
): Promise<void> {
  const { lock, kind: name, prefix } = series[kind];
  await db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement(lock, orgId));
    const rows = await tx.$queryRaw<{ slots: string }[]>`
      SELECT reserved_slots::text AS slots
        FROM imports
       WHERE org_id = ${orgId} AND id = ${importId}::uuid AND reserved_slots IS NOT NULL
         FOR NO KEY UPDATE`;
    const [reserved] = rows;
    if (!reserved) return;
    await tx.$executeRaw`
      SELECT give_key_slots(${orgId}::int, ${name}, array_agg(r.slot))
        FROM unnest(${reserved.slots}::bigint[]) AS r (slot)
       WHERE NOT EXISTS (
         SELECT FROM ${targets[kind].table} t
          WHERE t.org_id = ${orgId} AND t.deleted_at IS NULL
            AND t.external_key = ${prefix} || lpad(r.slot::text, greatest(4, length(r.slot::text)), '0'))
         AND NOT EXISTS (
         SELECT FROM free_key_slots f
          WHERE f.org_id = ${orgId} AND f.kind = ${name} AND r.slot BETWEEN f.first_slot AND f.last_slot)
      HAVING count(*) > 0`;
    await tx.$executeRaw`
      UPDATE imports SET reserved_slots = NULL WHERE org_id = ${orgId} AND id = ${importId}::uuid`;
  });
}

/** Releases the slots reserved by imports whose process has ended. */
export async function releaseAbandonedKeys(db: Database): Promise<void> {
  const abandoned = await db.$queryRaw<{ orgId: number; importId: string; kind: Job['kind'] }[]>`
    SELECT org_id AS "orgId", id::text AS "importId", kind
      FROM imports
     WHERE reserved_slots IS NOT NULL
       AND (lease_until IS NULL OR lease_until < clock_timestamp())
     LIMIT 100`;
  for (const { orgId, importId, kind } of abandoned) await releaseKeys(db, { orgId, importId, kind });
}
