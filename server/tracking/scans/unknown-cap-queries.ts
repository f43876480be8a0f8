import type { Database } from '../../kernel/database/client.js';

/** Rows of unknown tags that an organization keeps. */
export const unknownTagsMax = 100_000;
/** The part of the cap that a removal keeps, so that the next removal is some time away. */
const keptShare = 0.9;

/**
 * Deletes unknown tags of an organization that has more than `rowsMax`, down to nine tenths of `rowsMax`: first values
 * that were read once, then values that were read more often, each in the order of their last read. Skips rows that
 * another transaction has locked.
 */
export async function removeSurplusUnknownTags(
  db: Pick<Database, '$executeRaw'>,
  { orgId, rowsMax = unknownTagsMax }: { orgId: number; rowsMax?: number },
): Promise<number> {
  return db.$executeRaw`
    DELETE FROM unknown_tags
     WHERE id IN (
       SELECT u.id
         FROM unknown_tags u
        WHERE u.org_id = ${orgId}::int
        ORDER BY u.count > 1, u.last_seen, u.id
        LIMIT (SELECT CASE WHEN count(*) > ${rowsMax}::int
                           THEN count(*) - ${Math.floor(rowsMax * keptShare)}::int ELSE 0 END
                 FROM unknown_tags
                WHERE org_id = ${orgId}::int)
          FOR UPDATE SKIP LOCKED)`;
}

/** Does the same for every organization, since handhelds count unknown tags, too. */
export async function removeAllSurplusUnknownTags(db: Database): Promise<void> {
  const crowded = await db.$queryRaw<{ org_id: number }[]>`
    SELECT org_id FROM unknown_tags GROUP BY org_id HAVING count(*) > ${unknownTagsMax}::int`;
  for (const { org_id } of crowded) await removeSurplusUnknownTags(db, { orgId: org_id });
}
