import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { addJobs, type NewJob } from '../../kernel/jobs/queue-queries.js';
import { type MailPerson, mailPerson } from '../../people/mail/person.js';
import type { EmailMode } from '../alert-rules/schemas.js';
import { findPushed } from '../push/queries.js';
import type { OpenedAlert } from './open-alerts.js';

export const alertEmailTask = 'send_alert_emails';
export const alertPushTask = 'push_alerts';

/** The most alerts that wait for a recipient whose mail cannot be delivered. Further alerts are only in the app. */
export const waitingEmailsMax = 1000;

const hourMs = 3_600_000;

/** Returns when a mail is due: at once, at the next full hour, or at the next midnight (UTC). */
function dueAtMs(mode: EmailMode, nowMs: number): number {
  if (mode === 'each') return nowMs;
  const periodMs = mode === 'hourly' ? hourMs : 24 * hourMs;
  return Math.ceil(nowMs / periodMs) * periodMs;
}

/** Queues alerts for the members that their rules notify, by email and on their devices, and adds the jobs that send them. */
export async function queueAlertEmails(
  tx: TransactionClient,
  alerts: readonly OpenedAlert[],
  { nowMs, isMailConfigured }: { nowMs: number; isMailConfigured: boolean },
): Promise<void> {
  const wanted = alerts.flatMap(({ id, firing: { rule } }) =>
    rule.email_user_ids.map((userId) => {
      const mode = rule.email_mode;
      return { id, userId, orgId: rule.org_id, mode, dueMs: dueAtMs(mode, nowMs) };
    }),
  );
  if (wanted.length === 0) return;
  const pushed = new Set((await findPushed(tx, wanted)).map(({ orgId, userId }) => `${orgId} ${userId}`));
  const emails = wanted.flatMap((email) => [
    ...(isMailConfigured ? [{ ...email, byPush: false }] : []),
    ...(pushed.has(`${email.orgId} ${email.userId}`) ? [{ ...email, byPush: true }] : []),
  ]);
  if (emails.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO alert_emails (org_id, user_id, alert_id, due_at, by_push)
    SELECT g.org_id, g.user_id, g.alert_id, to_timestamp(g.due / 1000), g.by_push
      FROM (SELECT u.*, row_number() OVER (PARTITION BY u.org_id, u.user_id, u.by_push ORDER BY u.alert_id) AS no
              FROM unnest(${emails.map(({ orgId }) => orgId)}::int[], ${emails.map(({ userId }) => userId)}::int[],
                          ${emails.map(({ id }) => id)}::int8[], ${emails.map(({ dueMs }) => dueMs)}::float8[],
                          ${emails.map(({ byPush }) => byPush)}::bool[])
                   AS u (org_id, user_id, alert_id, due, by_push)) g
      JOIN memberships m ON m.org_id = g.org_id AND m.user_id = g.user_id
     WHERE g.no + (SELECT count(*)
                     FROM (SELECT FROM alert_emails w
                            WHERE w.user_id = g.user_id AND w.org_id = g.org_id AND w.by_push = g.by_push LIMIT ${waitingEmailsMax}::int) waiting)
           <= ${waitingEmailsMax}::int`;
  await addJobs(tx, emailJobs(emails));
}

/** Returns one job for each recipient and time. An immediate mail waits for the pause after the previous one. */
function emailJobs(emails: readonly (RecipientIds & { dueMs: number; mode: EmailMode })[]): NewJob[] {
  const jobs = new Map<string, NewJob>();
  for (const { mode, dueMs, ...recipient } of emails) {
    const job = emailJob(recipient, mode === 'each' ? undefined : dueMs);
    jobs.set(job.key, job);
  }
  return [...jobs.values()];
}

/** A recipient by email, or on their devices. */
type RecipientIds = { orgId: number; userId: number; byPush: boolean };

function emailJob({ orgId, userId, byPush }: RecipientIds, dueMs: number | undefined): NewJob & { key: string } {
  const task = byPush ? alertPushTask : alertEmailTask;
  const key = `${task}:${orgId}:${userId}:${dueMs ?? 'each'}`;
  const payload = { org_id: orgId, user_id: userId };
  return { task, payload, key, ...(dueMs === undefined ? { keepsTime: true } : { runAtMs: dueMs }) };
}

/** Adds the jobs that send the alerts that wait to be mailed to a person, in all organizations. */
export async function sendWaitingAlerts(db: Queries, userId: number): Promise<void> {
  const waiting = await db.$queryRaw<{ org_id: number }[]>`
    SELECT DISTINCT org_id FROM alert_emails WHERE user_id = ${userId}::int AND NOT by_push`;
  for (const { org_id: orgId } of waiting) await pauseEmails(db, { orgId, userId, byPush: false }, 0);
}

/** Adds the job that sends the waiting alerts after a pause. */
export async function pauseEmails(db: Queries, recipient: RecipientIds, pauseMs: number): Promise<void> {
  // Without `keepsTime`, so that a waiting job is postponed.
  const { task, payload, key } = emailJob(recipient, undefined);
  await addJobs(db, [{ task, key, ...(payload && { payload }), runAtMs: Date.now() + pauseMs }]);
}

/** An alert that is due to be mailed. */
export type DueAlert = {
  /** The id of the waiting row. */
  id: number;
  rule_name: string;
  event_type: string;
  data: Record<string, unknown>;
  opened_at: number;
  due_at: number;
  /** Null once the rule is deleted. */
  rule_id: number | null;
  /** The id of the alert. */
  alert_id: number;
  asset_id: number | null;
  location_id: number | null;
  reader_id: number | null;
};

/** Alerts in one mail; the rest is in the next mail. */
const alertsPerMailMax = 200;

/** Returns the alerts that are due to one recipient, oldest first. */
async function findDueAlerts(db: Queries, { orgId, userId, byPush }: RecipientIds): Promise<DueAlert[]> {
  return db.$queryRaw<DueAlert[]>`
    SELECT e.id::float8 AS id, a.rule_id, a.rule_name, a.event_type, a.data, ${epochMs('a.opened_at')} AS opened_at,
           ${epochMs('e.due_at')} AS due_at, a.id::float8 AS alert_id, a.asset_id, a.location_id, a.reader_id
      FROM alert_emails e
      JOIN alerts a ON a.id = e.alert_id
     WHERE e.user_id = ${userId}::int AND e.org_id = ${orgId}::int AND e.by_push = ${byPush}::bool AND e.due_at <= clock_timestamp()
     ORDER BY e.due_at, e.id
     LIMIT ${alertsPerMailMax}::int`;
}

/** Removes waiting alerts, and returns how many there were. */
export async function removeAlertEmails(db: Queries, ids: readonly number[]): Promise<number> {
  return db.$executeRaw`DELETE FROM alert_emails WHERE id = ANY(${ids}::int8[])`;
}

/** A recipient, with the language and the formats of their mails. Until `is_reachable`, mails wait. */
export type Recipient = MailPerson & { email: string; org_name: string; is_reachable: boolean };

/** Returns a recipient; undefined for somebody who is no longer a member. */
async function findRecipient(
  db: Queries,
  { orgId, userId }: { orgId: number; userId: number },
): Promise<Recipient | undefined> {
  const rows = await db.$queryRaw<Recipient[]>`
    SELECT u.email, o.name AS org_name, u.email_proven_at IS NOT NULL AND NOT m.precedes_proof AS is_reachable,
           ${mailPerson('u')}
      FROM memberships m
      JOIN users u ON u.id = m.user_id
      JOIN organizations o ON o.id = m.org_id
     WHERE m.org_id = ${orgId}::int AND m.user_id = ${userId}::int`;
  return rows[0];
}

/** Alerts within this time after a mail or a notification are collected for the next one. */
const gatherMs = 60_000;

/**
 * Returns the alerts that are due to a recipient, and postpones the next alerts; undefined if none are due.
 * The recipient is undefined for somebody who is no longer a member.
 */
export async function takeDueAlerts(
  db: Queries,
  recipient: RecipientIds,
): Promise<{ alerts: DueAlert[]; person: Recipient | undefined } | undefined> {
  const alerts = await findDueAlerts(db, recipient);
  if (alerts.length === 0) return undefined;
  await pauseEmails(db, recipient, gatherMs);
  return { alerts, person: await findRecipient(db, recipient) };
}
