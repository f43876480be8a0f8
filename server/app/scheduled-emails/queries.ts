import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs } from '../../kernel/database/columns.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { nextOccurrence } from './occurrence.js';
import type { NewScheduledEmail, ScheduledEmail, Timing } from './schemas.js';

type Queryable = Pick<Database, '$queryRaw'>;

type Person = { userId: number };

type Row = Omit<ScheduledEmail, 'view' | 'next_at' | 'last_sent_at'> & {
  view_id: number | null;
  view_name: string | null;
  view_query: string | null;
  next_at: number;
  last_sent_at: number | null;
};

/** Returns the scheduled emails of a person, the newest first. */
export async function findScheduled(db: Queryable, orgId: number, { userId }: Person): Promise<ScheduledEmail[]> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT s.id, s.view_id, v.name AS view_name, v.query AS view_query, s.report, s.format, s.frequency, s.day, s.hour,
           s.time_zone, s.is_paused, s.unopened, ${epochMs('s.scheduled_for')} AS next_at,
           ${epochMs('s.last_sent_at')} AS last_sent_at
      FROM scheduled_emails s
      LEFT JOIN saved_views v ON v.org_id = s.org_id AND v.id = s.view_id
     WHERE s.org_id = ${orgId}::int AND s.user_id = ${userId}::int
     ORDER BY s.id DESC`;
  return rows.map(
    ({ view_id: id, view_name: name, view_query: query, next_at: nextMs, last_sent_at: sentMs, ...row }) => ({
      ...row,
      view: id === null ? null : { id, name: name ?? '', query: query ?? '' },
      next_at: formatTimestamp(nextMs),
      last_sent_at: formatNullableTimestamp(sentMs),
    }),
  );
}

/** Counts the scheduled emails of an organization, and of one person. */
export async function countScheduled(
  tx: TransactionClient,
  orgId: number,
  { userId }: Person,
): Promise<{ all: number; own: number }> {
  const [row] = await tx.$queryRaw<[{ all: number; own: number }]>`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE user_id = ${userId}::int)::int AS own
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

type OwnEmail = Person & { id: number };

/** Returns when a scheduled email of a person is due, locked until the end of the transaction. */
export async function lockScheduled(
  tx: TransactionClient,
  orgId: number,
  { userId, id }: OwnEmail,
): Promise<Timing | undefined> {
  const rows = await tx.$queryRaw<Timing[]>`
    SELECT frequency, day, hour, time_zone
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
       SET is_paused = false, unopened = 0, tries = 0, scheduled_for = n.at, due_at = n.at
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

/** Deletes a scheduled email of a person, and returns whether there was one. */
export async function deleteScheduled(
  db: Pick<Database, '$executeRaw'>,
  orgId: number,
  { userId, id }: OwnEmail,
): Promise<boolean> {
  const deleted = await db.$executeRaw`
    DELETE FROM scheduled_emails WHERE org_id = ${orgId}::int AND user_id = ${userId}::int AND id = ${id}::int`;
  return deleted > 0;
}

/** Records that a person has opened the view or report of an email. */
export async function noteOpened(
  db: Pick<Database, '$executeRaw'>,
  orgId: number,
  { userId, id }: OwnEmail,
): Promise<void> {
  await db.$executeRaw`
    UPDATE scheduled_emails SET unopened = 0
     WHERE org_id = ${orgId}::int AND user_id = ${userId}::int AND id = ${id}::int`;
}

/** Returns whether a person can see a view, and locks the view against deletion until the end of the transaction. */
export async function keepView(tx: TransactionClient, orgId: number, { userId, id }: OwnEmail): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM saved_views
     WHERE org_id = ${orgId}::int AND id = ${id}::int AND (owner_id IS NULL OR owner_id = ${userId}::int)
       FOR KEY SHARE`;
  return rows.length > 0;
}
