import type { Database } from '../database/client.js';
import { removeAllSurplusUnknownTags } from './unknown-cap-queries.js';

const submissionDays = 90;
/** Of an organization; a client that tries again after so many others gets its submission stored once more. */
const submissionsMax = 100_000;
/** Values read only once are mostly tags that passed by. */
const onceSeenDays = 7;

/**
 * Deletes unknown tags not seen again within the retention of events, or within 7 days if they were read only once; and
 * submissions after 90 days, or when an organization has 100,000 newer ones.
 */
export async function removeForgottenScans(db: Database, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM unknown_tags
     WHERE last_seen < now() - make_interval(days => ${retentionDays}::int)
        OR count = 1 AND last_seen < now() - make_interval(days => ${onceSeenDays}::int)`;
  await removeAllSurplusUnknownTags(db);
  await db.$executeRaw`
    DELETE FROM scan_submissions WHERE created_at < now() - make_interval(days => ${submissionDays}::int)`;
  await db.$executeRaw`
    DELETE FROM scan_submissions s
     USING (SELECT org_id, submission_id,
                   row_number() OVER (PARTITION BY org_id ORDER BY created_at DESC, submission_id) AS place
              FROM scan_submissions) placed
     WHERE s.org_id = placed.org_id AND s.submission_id = placed.submission_id AND placed.place > ${submissionsMax}::int`;
}
