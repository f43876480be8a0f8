import type { Database } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { contractErrorOf } from '../../kernel/validation/input-failure.js';
import type { Mailer } from '../../people/mail/mailer.js';
import { instantFor, type MailPerson, wordsFor } from '../../people/mail/person.js';
import { stopLinkOf } from '../../people/mail/stop-link.js';
import { assetTable } from './asset-table.js';
import {
  claimEmail,
  type ClaimedEmail,
  finishEmail,
  holdsLease,
  type Period,
  periodOf,
  queueDue,
  retryEmail,
  sendTask,
  stopEmail,
} from './delivery-queries.js';
import { figuresOf } from './figures.js';
import { fileOf } from './file.js';
import { reportTitle, scheduledMail, stoppedMail } from './mail.js';
import { daysOf, reportPath, reportTable } from './report-tables.js';
import { apiOf, type ContextFor } from './subject-api.js';

export const queueTask = 'queue_scheduled_emails';

/** Attempts at one occurrence; only the death of a process causes another attempt. */
const triesMax = 2;
const retryMinutes = 15;
const givenUpAfterMs = 86_400_000;
/** How long collecting a file may take. */
const collectMs = 5 * 60_000;

export type ScheduledEmailOptions = {
  db: Database;
  mailer: Mailer;
  settings: Pick<Settings, 'authSecret' | 'baseUrl'>;
  log: Log;
  contextFor: ContextFor;
};

/**
 * Creates the tasks that send scheduled emails. A process has a lease on the email that it sends, so two processes
 * never send the same email. If it dies, another process sends the email once, when the lease ends. A mail that the
 * mail server rejects is retried for a day.
 */
export function createScheduledEmailTasks(options: ScheduledEmailOptions): Record<string, Task> {
  const { db, log } = options;
  return {
    [queueTask]: () => queueDue(db),
    [sendTask]: async (payload) => {
      const email = await claimEmail(db, (payload as { id: number }).id);
      if (!email) return;
      if (email.tries > triesMax) return finishEmail(db, email, { isSent: false });
      try {
        await send(options, email);
      } catch (error) {
        log.warn({ err: error, orgId: email.org_id, userId: email.user_id }, 'a scheduled email could not be sent');
        const isGivenUp = Date.now() - email.scheduled_for > givenUpAfterMs;
        await (isGivenUp ? finishEmail(db, email, { isSent: false }) : retryEmail(db, email, retryMinutes));
      }
    },
  };
}

async function send(options: ScheduledEmailOptions, email: ClaimedEmail): Promise<void> {
  const { db, mailer, settings } = options;
  const made = await contentOf(options, email).catch((error: unknown) => {
    if (contractErrorOf(error).type === 'not_found') return null;
    throw error;
  });
  if (!made) return stop(options, email);
  if (!(await holdsLease(db, email))) return;
  const { pageUrl, stopUrl } = await stopLinkOf(settings, { orgId: email.org_id, id: email.id });
  const { file, ...content } = made;
  const mail = scheduledMail(subjectOf(options, email), { ...content, stopPageUrl: pageUrl, sender: email.sender });
  await mailer.send({ to: email.email, stopUrl, ...mail, ...(file && { attachments: [file] }) });
  await finishEmail(db, email, { isSent: true });
}

/** The person, with the time zone that was chosen for the email. */
function recipientOf(email: ClaimedEmail): MailPerson & { org_name: string } {
  return { ...email, time_zone: email.schedule_zone };
}

function subjectOf({ settings }: ScheduledEmailOptions, email: ClaimedEmail) {
  const title = email.report ? reportTitle(email, email.report.kind) : (email.view_name ?? '');
  return { recipient: recipientOf(email), title, baseUrl: settings.baseUrl };
}

async function contentOf(options: ScheduledEmailOptions, email: ClaimedEmail) {
  const { db, contextFor } = options;
  const { report, schedule_zone: timeZone, format, view_query: query } = email;
  const atMs = Date.now();
  const words = wordsFor(email);
  const period = await periodOf(db, { days: report ? daysOf(report) : 1, timeZone });
  const api = apiOf(contextFor, email);
  const table = report
    ? reportTable(api, { report, period, atMs, timeZone, words })
    : assetTable(api, { query: query ?? '', midnightMs: period.until, words });
  const { recipient, title } = subjectOf(options, email);
  const made = await fileOf(table, {
    format,
    timeZone,
    untilMs: atMs + collectMs,
    name: `${report?.kind ?? 'assets'}-${todayIn(period)}`,
    title: words`${title} in ${recipient.org_name}, as of ${instantFor(recipient, atMs)}.`,
  });
  const path = report ? reportPath({ report, period, atMs }) : `/assets?${query ?? ''}`;
  const numbers = made && { rows: made.rows.length, figures: figuresOf(report?.kind ?? 'view', made.rows, words) };
  return { atMs, path, numbers, file: made?.file };
}

/** The day after the period, by the calendar of its time zone. */
function todayIn({ to_day: yesterday }: Period): string {
  return new Date(Date.parse(`${yesterday}T00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** Pauses the email, and mails the reason to the person. */
async function stop(options: ScheduledEmailOptions, email: ClaimedEmail): Promise<void> {
  const { db, mailer } = options;
  if (!(await holdsLease(db, email))) return;
  await mailer.send({ to: email.email, ...stoppedMail(subjectOf(options, email)) });
  await stopEmail(db, email);
}
