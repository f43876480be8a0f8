import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from './client.js';

// `slot_counts` has the number of an organization's listings in each range of time slots; triggers keep it. Ranges of
// `dayStep` contain whole ranges of `minutesStep`.

/** A range has two to the power of this many slots: 320 seconds, and almost a day. */
const minutesStep = 5;
const dayStep = 13;

/**
 * Returns common table expressions that end with `reached (first_slot, before)`: the first slot, in the direction of
 * the order, of the range that has the listing at an offset, and how many listings come before that range. It has no
 * row if there are not so many listings.
 */
export function rangeAtOffset(
  orgId: number,
  { descending, offset }: { descending: boolean; offset: number },
): Prisma.Sql {
  const direction = Prisma.raw(descending ? 'DESC' : 'ASC');
  // The candidate ranges of one step, the one with the offset, and the count before it.
  const passed = (step: number, { within, offset: wanted }: { within: Prisma.Sql; offset: Prisma.Sql }) => Prisma.sql`
    SELECT t.range_no, t.upto - t.n AS before
      FROM (SELECT g.range_no, g.n, sum(g.n) OVER (ORDER BY g.range_no ${direction}) AS upto
              FROM (SELECT c.range_no, sum(c.n)::int8 AS n
                      FROM slot_counts c
                     WHERE c.org_id = ${orgId} AND c.step = ${step} AND ${within}
                     GROUP BY c.range_no) g) t
     WHERE t.upto > ${wanted}
     ORDER BY t.range_no ${direction}
     LIMIT 1`;
  const shift = dayStep - minutesStep;
  const day = Prisma.sql`(SELECT range_no FROM day)`;
  const within = Prisma.sql`c.range_no BETWEEN ${day} << ${shift} AND (${day} << ${shift}) + ${2 ** shift - 1}`;
  const inDay = Prisma.sql`${offset}::int8 - (SELECT before FROM day)`;
  const size = 2 ** minutesStep;
  const firstSlot = descending
    ? Prisma.sql`(m.range_no << ${minutesStep}) + ${size - 1}`
    : Prisma.sql`m.range_no << ${minutesStep}`;
  return Prisma.sql`
    day AS MATERIALIZED (${passed(dayStep, { within: Prisma.sql`true`, offset: Prisma.sql`${offset}::int8` })}
    ), minutes AS MATERIALIZED (${passed(minutesStep, { within, offset: inDay })}
    ), reached AS MATERIALIZED (
      SELECT ${firstSlot} AS first_slot, (day.before + m.before)::int8 AS before FROM minutes m CROSS JOIN day
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
      RETURNING d.org_id, d.step, d.range_no, d.n
    )
    INSERT INTO slot_counts (org_id, step, range_no, shard, n)
    SELECT org_id, step, range_no, 0, sum(n) FROM taken GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (org_id, step, range_no, shard) DO UPDATE SET n = slot_counts.n + EXCLUDED.n`;
  await db.$executeRaw`DELETE FROM slot_counts WHERE shard = 0 AND n = 0`;
}
