import { Prisma } from '../../../generated/prisma/client.js';
import type { Timing } from './schemas.js';

/**
 * Returns SQL for the first instant after another one at which an email is due. Each day of the calendar has one such
 * instant: if the clocks skip the hour, it is the next hour; if they repeat the hour, it is the later one.
 */
export function nextOccurrence({ frequency, day, hour, time_zone: zone }: Timing, after: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT min(c.at)
      FROM (SELECT d.day, (d.day + make_interval(hours => ${hour}::int)) AT TIME ZONE ${zone}::text AS at
              FROM generate_series(date_trunc('day', ${after} AT TIME ZONE ${zone}::text),
                                   date_trunc('day', ${after} AT TIME ZONE ${zone}::text) + interval '62 days',
                                   interval '1 day') AS d (day)) c
     WHERE c.at > ${after}
       AND CASE ${frequency}::text
             WHEN 'weekly' THEN to_char(c.day, 'ID')::int = ${day}::int
             WHEN 'monthly' THEN extract(day FROM c.day) = least(
               ${day}::int, extract(day FROM date_trunc('month', c.day) + interval '1 month' - interval '1 day'))
             ELSE true
           END)`;
}
