import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { targets } from './matching.js';
import type { Lease } from './queries.js';
import type { Job } from './staging.js';

// An import needs seconds to write its rows. If it generated their keys in the same transaction, every create without a
// key would wait for it. So it reserves its key slots in `freed_keys`, in a transaction of milliseconds. The trigger
// `keep_freed_keys` removes the reservation of each row that is written. If the import fails, the rest is released.

const series = {
  assets: { kind: 'asset', prefix: 'ASSET-' },
  locations: { kind: 'location', prefix: 'LOC-' },
} as const satisfies Record<Job['kind'], { kind: string; prefix: string }>;

/**
 * Gives the staged rows without a key the lowest free ones in the order of their lines, and reserves these and the
 * slots of the keys that the file gives to new rows. The key series is locked while the slots are chosen, and not while
 * they are used.
 *
 * @param db runs the short transaction separately from `tx`
 */
export async function reserveKeys(
  { db, tx }: { db: Database; tx: TransactionClient },
  { orgId, kind: table }: Job,
  { token }: Lease,
): Promise<void> {
  const { kind, prefix } = series[table];
  const [needed] = await tx.$queryRaw<{ wanting: number; given: string }[]>`
    SELECT count(*) FILTER (WHERE external_key IS NULL)::int AS wanting,
           coalesce(array_agg(DISTINCT key_slot(${prefix}, external_key)) FILTER (WHERE key_slot(${prefix}, external_key) IS NOT NULL),
                    '{}')::text AS given
      FROM staged
     WHERE id IS NULL`;
  const { wanting, given } = needed ?? { wanting: 0, given: '{}' };
  if (wanting === 0 && given === '{}') return;
  const chosen = await db.$transaction(async (short) => {
    const reserve = (slots: string) => short.$executeRaw`
      INSERT INTO freed_keys (org_id, kind, slot, lease_token)
      SELECT ${orgId}, ${kind}, slot, ${token}::uuid FROM unnest(${slots}::bigint[]) AS slots (slot)
      ON CONFLICT (org_id, kind, slot) DO UPDATE SET lease_token = EXCLUDED.lease_token`;
    // Before rows of `freed_keys`, as a create without a key does.
    await short.$queryRaw`SELECT lock_key_hint(${orgId}::int, ${kind})::text`;
    await reserve(given);
    const [free] = await short.$queryRaw<{ slots: string }[]>`
      SELECT next_free_slots(${orgId}::int, ${kind}, ${wanting}::int)::text AS slots`;
    const slots = free?.slots ?? '{}';
    await reserve(slots);
    return slots;
  });
  await tx.$executeRaw`
    UPDATE staged s
       SET external_key = slot_key(${kind}, chosen.slot)
      FROM (SELECT line, row_number() OVER (ORDER BY line) AS n FROM staged WHERE id IS NULL AND external_key IS NULL) wanting
      JOIN unnest(${chosen}::bigint[]) WITH ORDINALITY AS chosen (slot, n) USING (n)
     WHERE s.line = wanting.line`;
}

/** Frees the slots that an import has reserved and not used, except slots that live rows have taken meanwhile. */
export async function releaseKeys(
  db: Database,
  { orgId, kind: table, token }: { orgId: number; kind: Job['kind']; token: string },
): Promise<void> {
  const { kind, prefix } = series[table];
  const reserved = Prisma.sql`org_id = ${orgId} AND kind = ${kind} AND lease_token = ${token}::uuid`;
  await db.$transaction(async (tx) => {
    // As in `next_free_slots`: a plan from when the tables were small would read all rows for each slot.
    await tx.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`;
    const [{ keys }] = await tx.$queryRaw<[{ keys: string[] }]>`
      SELECT coalesce(array_agg(slot_key(${kind}, slot)), '{}') AS keys FROM freed_keys WHERE ${reserved}`;
    const taken = await tx.$queryRaw<{ external_key: string }[]>`
      SELECT external_key
        FROM ${targets[table].table}
       WHERE org_id = ${orgId} AND external_key = ANY (${keys}::text[]) AND deleted_at IS NULL`;
    await tx.$executeRaw`
      DELETE FROM freed_keys
       WHERE ${reserved} AND slot = ANY (
         SELECT key_slot(${prefix}, key) FROM unnest(${taken.map((row) => row.external_key)}::text[]) AS keys (key))`;
    await tx.$executeRaw`UPDATE freed_keys SET lease_token = NULL WHERE ${reserved}`;
  });
}

/** Releases the slots reserved by imports whose process has ended. */
export async function releaseAbandonedKeys(db: Database): Promise<void> {
  const abandoned = await db.$queryRaw<{ orgId: number; kind: Job['kind']; token: string }[]>`
    SELECT DISTINCT f.org_id AS "orgId", f.kind || 's' AS kind, f.lease_token::text AS token
      FROM freed_keys f
      LEFT JOIN imports i ON i.org_id = f.org_id AND i.lease_token = f.lease_token AND i.lease_until >= clock_timestamp()
     WHERE f.lease_token IS NOT NULL AND i.id IS NULL`;
  for (const reservation of abandoned) await releaseKeys(db, reservation);
}
