import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from './client.js';

// `slot_counts` stores how many listings of an organization are in each range of slots, without those of assets that are hidden
// (`position_listings.hidden_by`); triggers keep it. Long ranges hold whole short ranges.
// docs/decisions/0031-remembered-keys.md has the reasons.

/** Two to the power of this are the slots of a range: 80 seconds, and eleven hours. */
const shortStep = 3;
const longStep = 12;

type Offset = { descending: boolean; includeDeleted: boolean; offset: number };

/**
 * Returns common table expressions that end with `reached (first_slot, before)`: the first slot, in the direction of the
 * order, of the range that has the listing at an offset, and how many listings come before that range. Hidden ones do not count.
 * It has no row where there are not so many listings.
 */
export function rangeAtOffset(orgId: number, { descending, includeDeleted, offset }: Offset): Prisma.Sql {
  const counted = Prisma.raw(includeDeleted ? 'c.n + c.n_deleted' : 'c.n');
  const direction = Prisma.raw(descending ? 'DESC' : 'ASC');
  // The candidate ranges of one step, the one with the offset, and the count before it.
  const passed = (step: number, { within, offset: wanted }: { within: Prisma.Sql; offset: Prisma.Sql }) => Prisma.sql`
    SELECT t.range_no, t.upto - t.n AS before
      FROM (SELECT g.range_no, g.n, sum(g.n) OVER (ORDER BY g.range_no ${direction}) AS upto
              FROM (SELECT c.range_no, sum(${counted})::int8 AS n
                      FROM slot_counts c
                     WHERE c.org_id = ${orgId} AND c.step = ${step} AND ${within}
                     GROUP BY c.range_no) g) t
     WHERE t.upto > ${wanted}
     ORDER BY t.range_no ${direction}
     LIMIT 1`;
  const shift = longStep - shortStep;
  const long = Prisma.sql`(SELECT range_no FROM long_range)`;
  const within = Prisma.sql`c.range_no BETWEEN ${long} << ${shift} AND (${long} << ${shift}) + ${2 ** shift - 1}`;
  const inLong = Prisma.sql`${offset}::int8 - (SELECT before FROM long_range)`;
  const size = 2 ** shortStep;
  const firstSlot = descending
    ? Prisma.sql`(m.range_no << ${shortStep}) + ${size - 1}`
    : Prisma.sql`m.range_no << ${shortStep}`;
  return Prisma.sql`
    long_range AS MATERIALIZED (${passed(longStep, { within: Prisma.sql`true`, offset: Prisma.sql`${offset}::int8` })}
    ), short_range AS MATERIALIZED (${passed(shortStep, { within, offset: inLong })}
    ), reached AS MATERIALIZED (
      SELECT ${firstSlot} AS first_slot, (l.before + m.before)::int8 AS before FROM short_range m CROSS JOIN long_range l
    )`;
}

const rowsPerRun = 100_000;

/** Sums up the partial counts of connections, and removes empty ranges. Skips locked rows until the next run. */
export async function addUpSlotCounts(db: Pick<Database, '$executeRaw'>): Promise<void> {
  await db.$executeRaw`
    WITH taken AS MATERIALIZED (
      DELETE FROM slot_counts d
       USING (SELECT org_id, step, range_no, shard
                FROM slot_counts
               WHERE shard <> 0
               LIMIT ${rowsPerRun}::int
                 FOR UPDATE SKIP LOCKED) c
       WHERE d.org_id = c.org_id AND d.step = c.step AND d.range_no = c.range_no AND d.shard = c.shard
      RETURNING d.org_id, d.step, d.range_no, d.n, d.n_deleted
    )
    INSERT INTO slot_counts (org_id, step, range_no, shard, n, n_deleted)
    SELECT org_id, step, range_no, 0, sum(n), sum(n_deleted)
      FROM taken
     GROUP BY 1, 2, 3
    HAVING sum(n) <> 0 OR sum(n_deleted) <> 0
     ORDER BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard)
    DO UPDATE SET n = slot_counts.n + EXCLUDED.n, n_deleted = slot_counts.n_deleted + EXCLUDED.n_deleted`;
  await db.$executeRaw`DELETE FROM slot_counts WHERE shard = 0 AND n = 0 AND n_deleted = 0`;
}
