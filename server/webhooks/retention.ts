import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../database/client.js';
import { removeAged } from '../database/remove-aged.js';

const keptDays = 30;
const keptPerEndpointMax = 100_000;
const removedPerRun = 50_000;

/** Deletes finished deliveries that are older than 30 days, and all but the newest 100,000 of each endpoint. */
export async function removeOldDeliveries(db: Pick<Database, '$executeRaw'>): Promise<void> {
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
}
