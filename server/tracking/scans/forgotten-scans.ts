import type { Database } from '../../kernel/database/client.js';
import { removeAllSurplusUnknownTags } from './unknown-cap-queries.js';

const submissionDays = 90;
/**
 * The most submissions that are kept for an organization. If a client retries after this many other submissions, its
 * submission is stored twice.
 */
export const submissionsMax = 100_000;
/** The part of the cap that a removal keeps, so that the next removal is some time away. */
const keptShare = 0.9;
/** Values that were read only once are mostly tags that passed by. */
const onceSeenDays = 7;

/** Deletes the oldest submissions of an organization that has more than `rowsMax`, down to nine tenths of `rowsMax`. */
export async function removeSurplusSubmissions(
  db: Pick<Database, '$executeRaw'>,
  { orgId, rowsMax = submissionsMax }: { orgId: number; rowsMax?: number },
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM scan_submissions
     WHERE org_id = ${orgId}::int
       AND submission_id IN (
         SELECT s.submission_id
           FROM scan_submissions s
          WHERE s.org_id = ${orgId}::int
          ORDER BY s.created_at, s.submission_id
          LIMIT (SELECT CASE WHEN count(*) > ${rowsMax}::int
                             THEN count(*) - ${Math.floor(rowsMax * keptShare)}::int ELSE 0 END
                   FROM scan_submissions
                  WHERE org_id = ${orgId}::int)
            FOR UPDATE SKIP LOCKED)`;
}

/** Does the same for every organization. */
async function removeAllSurplusSubmissions(db: Database): Promise<void> {
  const crowded = await db.$queryRaw<{ org_id: number }[]>`
    SELECT org_id FROM scan_submissions GROUP BY org_id HAVING count(*) > ${submissionsMax}::int`;
  for (const { org_id } of crowded) await removeSurplusSubmissions(db, { orgId: org_id });
}

/**
 * Deletes unknown tags that were not seen again within the retention of events, or within 7 days if they were read only
 * once. Deletes submissions after 90 days, and the oldest submissions of an organization that has more than 100,000.
 */
export async function removeForgottenScans(db: Database, retentionDays: number): Promise<void> {
  await db.$executeRaw`
    DELETE FROM unknown_tags
     WHERE last_seen < now() - make_interval(days => ${retentionDays}::int)
        OR count = 1 AND last_seen < now() - make_interval(days => ${onceSeenDays}::int)`;
  await removeAllSurplusUnknownTags(db);
  await db.$executeRaw`
    DELETE FROM scan_submissions WHERE created_at < now() - make_interval(days => ${submissionDays}::int)`;
  await removeAllSurplusSubmissions(db);
}
