import type { Database } from '../database/client.js';

const submissionDays = 90;

/** Deletes unknown tags not seen again within the retention of events, and what is known of submissions after 90 days. */
export async function removeForgottenScans(db: Database, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM unknown_tags WHERE last_seen < now() - make_interval(days => ${retentionDays}::int)`;
  await db.$executeRaw`
    DELETE FROM scan_submissions WHERE created_at < now() - make_interval(days => ${submissionDays}::int)`;
}
