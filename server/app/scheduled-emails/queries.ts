import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder, timestamp } from '../../kernel/database/columns.js';
import { nextOccurrence } from './occurrence.js';
import type { NewScheduledEmail, ScheduledEmail, Timing } from './schemas.js';

type Queryable = Pick<Database, '$queryRaw'>;

type Person = { userId: number };

/** Returns the scheduled emails of a person, the newest first. */
export async function findScheduled(db: Queryable, orgId: number, { userId }: Person): Promise<ScheduledEmail[]> {
  return db.$queryRaw<ScheduledEmail[]>`
    SELECT s.id, CASE WHEN v.id IS NOT NULL THEN json_build_object('id', v.id, 'name', v.name, 'query', v.query) END AS view,
           s.report, s.format, s.frequency, s.day, s.hour, s.time_zone, s.is_paused,
           ${timestamp('s.last_sent_at')} AS last_sent_at, b.name AS sender,
           (SELECT coalesce(json_agg(json_build_object('user_id', r.user_id, 'name', u.name, 'is_paused', r.is_paused)
                                     ORDER BY ${inNaturalOrder('u.name')}, r.user_id), '[]')
              FROM scheduled_emails r
              JOIN users u ON u.id = r.user_id
             WHERE r.org_id = s.org_id AND r.lead_id = s.id) AS recipients
      FROM scheduled_emails s
      LEFT JOIN scheduled_emails l ON l.org_id = s.org_id AND l.id = s.lead_id
      LEFT JOIN users b ON b.id = l.user_id
      LEFT JOIN saved_views v ON v.org_id = s.org_id AND v.id = s.view_id
     WHERE s.org_id = ${orgId}::int AND s.user_id = ${userId}::int AND v.deleted_at IS NULL
     ORDER BY s.id DESC`;
}

/** Counts the scheduled emails of an organization, and those that one person has scheduled. */
export async function countScheduled(
  tx: TransactionClient,
  orgId: number,
  { userId }: Person,
): Promise<{ all: number; own: number }> {
  const [row] = await tx.$queryRaw<[{ all: number; own: number }]>`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE user_id = ${userId}::int AND lead_id IS NULL)::int AS own
      FROM scheduled_emails
     WHERE org_id = ${orgId}::int`;
  return row;
}

/** Inserts a scheduled email, which is due at the next occurrence, and returns its id. */
export async function insertScheduled(
  tx: TransactionClient,
  orgId: number,
  { userId, email }: Person & { email: NewScheduledEmail },
): Promise<number> {
  const next = nextOccurrence(email, currentInstant);
  const [row] = await tx.$queryRaw<[{ id: number }]>`
    INSERT INTO scheduled_emails (org_id, user_id, view_id, report, format, frequency, day, hour, time_zone, scheduled_for, due_at)
    SELECT ${orgId}::int, ${userId}::int, ${email.view_id ?? null}::int,
           ${email.report ? JSON.stringify(email.report) : null}::json, ${email.format}, ${email.frequency}, ${email.day}::int,
           ${email.hour}::int, ${email.time_zone}, n.at, n.at
      FROM (SELECT ${next} AS at) n
    RETURNING id`;
  return row.id;
}

/**
 * Has other members get an email of a person too, and nobody else any more. Somebody who has stopped it gets it no more.
 */
export async function setRecipients(
  tx: TransactionClient,
  orgId: number,
  { id, timing, userIds }: { id: number; timing: Timing; userIds: readonly number[] },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM scheduled_emails
     WHERE org_id = ${orgId}::int AND lead_id = ${id}::int AND user_id <> ALL (${[...userIds]}::int[])`;
  await tx.$executeRaw`
    INSERT INTO scheduled_emails (org_id, user_id, lead_id, view_id, report, format, frequency, day, hour, time_zone, scheduled_for, due_at)
    SELECT s.org_id, m.user_id, s.id, s.view_id, s.report, s.format, s.frequency, s.day, s.hour, s.time_zone, n.at, n.at
      FROM scheduled_emails s
      JOIN memberships m ON m.org_id = s.org_id AND m.user_id = ANY(${[...userIds]}::int[]) AND m.user_id <> s.user_id
     CROSS JOIN (SELECT ${nextOccurrence(timing, currentInstant)} AS at) n
     WHERE s.org_id = ${orgId}::int AND s.id = ${id}::int
    ON CONFLICT (lead_id, user_id) DO NOTHING`;
}

/** How long people wait before they can send an email again. */
export const sendAgainSeconds = 60;

/**
 * Makes an email of a person due now, for all who get it and have not stopped it. Leaves out what is being sent, or was sent within
 * the last minute.
 *
 * @returns how many emails are due
 */
export async function makeDue(
  db: Pick<Database, '$executeRaw'>,
  orgId: number,
  { userId, id }: OwnEmail,
): Promise<number> {
  return db.$executeRaw`
    UPDATE scheduled_emails s
       SET scheduled_for = ${currentInstant}, due_at = ${currentInstant}
     WHERE s.org_id = ${orgId}::int
       AND (s.id = ${id}::int OR s.lead_id = ${id}::int)
       AND EXISTS (SELECT FROM scheduled_emails o
                    WHERE o.org_id = ${orgId}::int AND o.id = ${id}::int AND o.user_id = ${userId}::int)
       AND NOT s.is_paused
       AND s.tries = 0
       AND s.last_sent_at + make_interval(secs => ${sendAgainSeconds}::int) > clock_timestamp() IS NOT TRUE`;
}

type OwnEmail = Person & { id: number };

/** Returns when a scheduled email of a person is due, locked until the end of the transaction. */
export async function lockScheduled(
  tx: TransactionClient,
  orgId: number,
  { userId, id }: OwnEmail,
): Promise<(Timing & { lead_id: number | null }) | undefined> {
  const rows = await tx.$queryRaw<(Timing & { lead_id: number | null })[]>`
    SELECT frequency, day, hour, time_zone, lead_id
      FROM scheduled_emails
     WHERE org_id = ${orgId}::int AND user_id = ${userId}::int AND id = ${id}::int
       FOR UPDATE`;
  return rows[0];
}

/** Continues a scheduled email with its next occurrence. */
export async function resumeScheduled(
  tx: TransactionClient,
  orgId: number,
  { id, timing }: { id: number; timing: Timing },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE scheduled_emails
       SET is_paused = false, tries = 0, scheduled_for = n.at, due_at = n.at
      FROM (SELECT ${nextOccurrence(timing, currentInstant)} AS at) n
     WHERE org_id = ${orgId}::int AND id = ${id}::int`;
}

export async function pauseScheduled(
  db: Pick<Database, '$executeRaw'>,
  orgId: number,
  { id }: { id: number },
): Promise<void> {
  await db.$executeRaw`UPDATE scheduled_emails SET is_paused = true WHERE org_id = ${orgId}::int AND id = ${id}::int`;
}

/** Deletes a scheduled email of a person, also for others who get it because of the person. Returns whether there was one. */
export async function deleteScheduled(
  db: Pick<Database, '$executeRaw'>,
  orgId: number,
  { userId, id }: OwnEmail,
): Promise<boolean> {
  const deleted = await db.$executeRaw`
    DELETE FROM scheduled_emails s
     USING scheduled_emails o
     WHERE o.org_id = ${orgId}::int AND o.user_id = ${userId}::int AND o.id = ${id}::int
       AND s.org_id = o.org_id AND (s.id = o.id OR s.lead_id = o.id)`;
  return deleted > 0;
}

/** Returns whether a person can see a view, and locks the view against deletion until the end of the transaction. */
export async function keepView(tx: TransactionClient, orgId: number, { userId, id }: OwnEmail): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM saved_views
     WHERE org_id = ${orgId}::int AND id = ${id}::int AND deleted_at IS NULL AND (owner_id IS NULL OR owner_id = ${userId}::int)
       FOR SHARE`;
  return rows.length > 0;
}
