import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../../kernel/database/client.js';
import { currentInstant, epochMs, instant } from '../../kernel/database/columns.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import type { Role } from '../../people/auth/scopes.js';
import { type MailPerson, mailPerson } from '../../people/mail/person.js';
import { nextOccurrence } from './occurrence.js';
import type { FileFormat, ScheduledReport, Timing } from './schemas.js';

export const sendTask = 'send_scheduled_email';

/** The most waiting jobs of one organization, so that emails of other organizations do not wait for all of them. */
const jobsPerOrganizationMax = 2;
const jobsMax = 50;

/**
 * Emails to an address that nobody has proven wait: anybody can make an account with another person's address. So do those
 * of an organization from before the proof, until the owner of the address keeps it.
 */
const isReachable = Prisma.sql`
  EXISTS (SELECT
            FROM users u
            JOIN memberships m ON m.user_id = u.id
           WHERE u.id = s.user_id AND u.email_proven_at IS NOT NULL AND m.org_id = s.org_id AND NOT m.precedes_proof)
  AND NOT EXISTS (SELECT FROM saved_views d WHERE d.org_id = s.org_id AND d.id = s.view_id AND d.deleted_at IS NOT NULL)`;

/** Adds jobs for the emails that are due. An email has at most one job. */
export async function queueDue(db: Database): Promise<void> {
  const due = await db.$queryRaw<{ id: number }[]>`
    SELECT d.id
      FROM (SELECT s.id, s.due_at, row_number() OVER (PARTITION BY s.org_id ORDER BY s.due_at, s.id) AS no
              FROM scheduled_emails s
             WHERE s.due_at <= clock_timestamp() AND NOT s.is_paused AND ${isReachable}) d
     WHERE d.no <= ${jobsPerOrganizationMax}::int
     ORDER BY d.no, d.due_at
     LIMIT ${jobsMax}::int`;
  await addJobs(
    db,
    due.map(({ id }) => ({ task: sendTask, payload: { id }, key: `${sendTask}:${id}`, keepsTime: true })),
  );
}

/** Longer than an email takes. When the lease ends, another process takes the email over. */
const leaseMinutes = 10;

/** An email that this process sends, with its recipient; instants are epoch milliseconds. */
export type ClaimedEmail = MailPerson & {
  id: number;
  org_id: number;
  user_id: number;
  org_name: string;
  email: string;
  role: Role;
  /** Null for a report. */
  view_name: string | null;
  view_query: string | null;
  report: ScheduledReport | null;
  format: FileFormat;
  /** Who has the person get it; null for the person. */
  sender: string | null;
  scheduled_for: number;
  /** Attempts for this occurrence, including the present one. */
  tries: number;
  /** The end of the lease, which also identifies the lease. */
  due_at: number;
  frequency: Timing['frequency'];
  day: number;
  hour: number;
  schedule_zone: string;
};

/** Claims a due email for this process; undefined if it is no longer due, or another process has claimed it. */
export async function claimEmail(db: Database, id: number): Promise<ClaimedEmail | undefined> {
  const rows = await db.$queryRaw<ClaimedEmail[]>`
    WITH c AS (
      UPDATE scheduled_emails s
         SET due_at = ${currentInstant} + make_interval(mins => ${leaseMinutes}::int), tries = s.tries + 1
       WHERE s.id = ${id}::int AND s.due_at <= clock_timestamp() AND NOT s.is_paused AND ${isReachable}
      RETURNING s.*
    )
    SELECT c.id, c.org_id, c.user_id, o.name AS org_name, u.email, m.role, v.name AS view_name, v.query AS view_query, c.report,
           c.format, b.name AS sender, ${epochMs('c.scheduled_for')} AS scheduled_for, c.tries, ${epochMs('c.due_at')} AS due_at,
           c.frequency, c.day, c.hour, c.time_zone AS schedule_zone, ${mailPerson('u')}
      FROM c
      JOIN memberships m ON m.org_id = c.org_id AND m.user_id = c.user_id
      JOIN users u ON u.id = c.user_id
      JOIN organizations o ON o.id = c.org_id
      LEFT JOIN scheduled_emails l ON l.org_id = c.org_id AND l.id = c.lead_id
      LEFT JOIN users b ON b.id = l.user_id
      LEFT JOIN saved_views v ON v.org_id = c.org_id AND v.id = c.view_id AND (v.owner_id IS NULL OR v.owner_id IN (c.user_id, l.user_id))`;
  return rows[0];
}

type Lease = Pick<ClaimedEmail, 'id' | 'org_id' | 'due_at'>;

const isHeld = ({ id, org_id: orgId, due_at: dueMs }: Lease) =>
  Prisma.sql`org_id = ${orgId}::int AND id = ${id}::int AND due_at = ${instant(dueMs)}`;

/**
 * Returns whether the lease still lasts long enough to send the mail, and the person has not paused or deleted the
 * email meanwhile.
 */
export async function holdsLease(db: Database, lease: Lease): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM scheduled_emails
     WHERE ${isHeld(lease)} AND NOT is_paused AND due_at > clock_timestamp() + interval '2 minutes'`;
  return rows.length > 0;
}

/** Ends the lease: the email is due again at its next occurrence. */
export async function finishEmail(db: Database, email: ClaimedEmail, { isSent }: { isSent: boolean }): Promise<void> {
  const { frequency, day, hour, schedule_zone: zone } = email;
  const next = nextOccurrence({ frequency, day, hour, time_zone: zone }, currentInstant);
  await db.$executeRaw`
    UPDATE scheduled_emails
       SET scheduled_for = n.at, due_at = n.at, tries = 0,
           last_sent_at = CASE WHEN ${isSent}::bool THEN ${currentInstant} ELSE last_sent_at END
      FROM (SELECT ${next} AS at) n
     WHERE ${isHeld(email)}`;
}

/** Ends the lease: the email is tried again after `afterMinutes`. */
export async function retryEmail(db: Database, email: Lease, afterMinutes: number): Promise<void> {
  await db.$executeRaw`
    UPDATE scheduled_emails
       SET due_at = ${currentInstant} + make_interval(mins => ${afterMinutes}::int), tries = 0
     WHERE ${isHeld(email)}`;
}

/** Ends the lease, and pauses the email. */
export async function stopEmail(db: Database, email: Lease): Promise<void> {
  await db.$executeRaw`UPDATE scheduled_emails SET is_paused = true WHERE ${isHeld(email)}`;
}

/**
 * The complete days before today in a time zone, as instants, and as days for a URL, in which the last day is included.
 */
export type Period = { from: number; until: number; from_day: string; to_day: string };

export async function periodOf(db: Database, { days, timeZone }: { days: number; timeZone: string }): Promise<Period> {
  const [row] = await db.$queryRaw<[Period]>`
    SELECT ${epochMs('p.from_at')} AS from, ${epochMs('p.until_at')} AS until, to_char(p.today - p.days, 'YYYY-MM-DD') AS from_day,
           to_char(p.today - interval '1 day', 'YYYY-MM-DD') AS to_day
      FROM (SELECT t.*, (t.today - t.days) AT TIME ZONE ${timeZone}::text AS from_at, t.today AT TIME ZONE ${timeZone}::text AS until_at
              FROM (SELECT date_trunc('day', clock_timestamp() AT TIME ZONE ${timeZone}::text) AS today,
                           make_interval(days => ${days}::int) AS days) t) p`;
  return row;
}
