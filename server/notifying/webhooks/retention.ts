import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { removeAged } from '../../kernel/database/remove-aged.js';

const keptDays = 30;
const keptPerEndpointMax = 100_000;
const removedPerRun = 50_000;
/**
 * The most bytes of bodies and answers in all delivery logs of one organization, several times the bytes that may be
 * pending.
 */
export const logBytesMax = 1024 * 1024 * 1024;
/** The bytes that a trim leaves, so that the next trim is not due at once. */
const trimmedBytes = 900 * 1024 * 1024;
/** The most deliveries that one trim deletes, so that it delays the organization's deliveries little. */
const removedPerTrim = 2000;

/**
 * Deletes finished deliveries that are older than 30 days, all except the newest 100,000 of each endpoint, and the
 * oldest deliveries of an organization whose logs exceed their size.
 */
export async function removeOldDeliveries(
  db: Pick<Database, '$executeRaw' | '$queryRaw' | '$transaction'>,
): Promise<void> {
  const where = Prisma.sql`status <> 'pending'`;
  await removeAged(db, { table: 'webhook_deliveries', since: 'created_at', keptDays, rowsMax: removedPerRun, where });
  await db.$executeRaw`
    DELETE FROM webhook_deliveries
     WHERE status <> 'pending'
       AND id IN (SELECT old.id
                    FROM webhook_endpoints w
                   CROSS JOIN LATERAL (
                     SELECT d.id FROM webhook_deliveries d WHERE d.org_id = w.org_id AND d.endpoint_id = w.id
                      ORDER BY d.id DESC LIMIT ${removedPerRun}::int OFFSET ${keptPerEndpointMax}::int
                   ) old
                   LIMIT ${removedPerRun}::int)`;
  const full = await db.$queryRaw<{ org_id: number }[]>`
    SELECT org_id FROM webhook_endpoints GROUP BY org_id HAVING sum(log_bytes) > ${logBytesMax}::int8`;
  for (const { org_id: orgId } of full) await trimLog(db, orgId);
}

/** Deletes the oldest finished deliveries of an organization until its logs are below their limit; at most 2,000. */
export async function trimLog(db: Pick<Database, '$transaction'>, orgId: number): Promise<void> {
  await db.$transaction(async (tx) => {
    // Endpoints are locked before their deliveries, in the order of their ids, as everywhere.
    await tx.$queryRaw`
      SELECT w.id FROM webhook_endpoints w WHERE w.org_id = ${orgId}::int ORDER BY w.id FOR NO KEY UPDATE`;
    await tx.$executeRaw`
      DELETE FROM webhook_deliveries d
       USING (SELECT f.id, sum(f.bytes) OVER (ORDER BY f.id) - f.bytes AS before
                FROM webhook_endpoints w
               CROSS JOIN LATERAL (
                 SELECT c.id, octet_length(c.body) + c.answer_bytes AS bytes
                   FROM webhook_deliveries c
                  WHERE c.org_id = w.org_id AND c.endpoint_id = w.id AND c.status <> 'pending'
                  ORDER BY c.id LIMIT ${removedPerTrim}::int
               ) f
               WHERE w.org_id = ${orgId}::int
               ORDER BY f.id LIMIT ${removedPerTrim}::int) oldest
       WHERE d.id = oldest.id
         AND oldest.before < (SELECT sum(log_bytes) FROM webhook_endpoints WHERE org_id = ${orgId}::int)
                             - ${trimmedBytes}::int8`;
  });
}
