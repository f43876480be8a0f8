import type { Database } from '../../kernel/database/client.js';
import { telemetryDays } from './store-telemetry.js';

/** Deletes values of hours after thirty days. */
export async function removeOldTelemetry(db: Pick<Database, '$executeRaw'>): Promise<void> {
  await db.$executeRaw`
    DELETE FROM tag_telemetry_hours WHERE hour < now() - make_interval(days => ${telemetryDays}::int)`;
}
