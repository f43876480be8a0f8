import type { Database } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import type { Log } from '../../kernel/log.js';
import { renderMail } from '../../people/mail/layout.js';
import type { AddressProvenPayload } from '../../people/mail/address-proven.js';
import type { Mailer } from '../../people/mail/mailer.js';
import { instantFor, type MailPerson, wordsFor } from '../../people/mail/person.js';
import { type StopLink, stopLinkOf, type StopSettings } from '../../people/mail/stop-link.js';
import {
  type DueAlert,
  pauseEmails,
  type Recipient,
  removeAlertEmails,
  sendWaitingAlerts,
  takeDueAlerts,
} from './alert-email-queries.js';
import { alertText, subjectOf } from './alert-text.js';

type Payload = { org_id: number; user_id: number };

/** Alerts in a digest; the app has the rest. */
const listedMax = 50;

/**
 * A mail that the mail server rejects, or whose recipient has not proven the address yet, is retried after a quarter of
 * its age, within these bounds, until it is given up.
 */
const retryMinMs = 5 * 60_000;
const retryMaxMs = 6 * 3_600_000;
const givenUpAfterMs = 3 * 86_400_000;

/**
 * Creates the task that mails a member the alerts that are due: a single alert as a mail of its own, several alerts as
 * a digest. Alerts that come while a mail is
 * being sent are in the next one. If a process dies after it sent a mail, the mail is sent again.
 */
export function createAlertMailTask(options: { db: Database; mailer: Mailer; settings: StopSettings; log: Log }): Task {
  const { db, mailer, settings, log } = options;
  const { baseUrl } = settings;
  return async (payload) => {
    const { org_id: orgId, user_id: userId } = payload as Payload;
    const recipientIds = { orgId, userId, byPush: false };
    const due = await takeDueAlerts(db, recipientIds);
    if (!due) return;
    const { alerts, person: recipient } = due;
    if (recipient && !(await send(recipient, alerts, recipientIds))) {
      const ageMs = Date.now() - Math.min(...alerts.map(({ due_at: dueAt }) => dueAt));
      // The job does not fail, as its retries would multiply with the retries of later alerts.
      await pauseEmails(db, recipientIds, Math.min(retryMaxMs, Math.max(retryMinMs, ageMs / 4)));
      if (ageMs < givenUpAfterMs) return;
    }
    await removeAlertEmails(
      db,
      alerts.map(({ id }) => id),
    );
  };

  /** Returns whether the mail server has accepted the mail. */
  async function send(
    recipient: Recipient,
    alerts: readonly DueAlert[],
    { orgId, userId }: { orgId: number; userId: number },
  ): Promise<boolean> {
    if (!recipient.is_reachable) return false;
    const ruleIds = [...new Set(alerts.flatMap(({ rule_id: ruleId }) => ruleId ?? []))];
    const stop = await stopLinkOf(settings, { orgId, userId, ruleIds });
    try {
      await mailer.send({
        to: recipient.email,
        stopUrl: stop.stopUrl,
        ...alertMail(alerts, { recipient, baseUrl, stop }),
      });
      return true;
    } catch (error) {
      log.warn({ err: error, orgId, userId }, 'alerts could not be mailed');
      return false;
    }
  }
}

/** Creates the task that mails the alerts that waited for the proof of an address. */
export function createAddressProvenTask({ db }: { db: Database }): Task {
  return (payload) => sendWaitingAlerts(db, (payload as AddressProvenPayload).user_id);
}

/** Returns the mail about one or several alerts, with links to the objects of the alerts. */
export function alertMail(
  alerts: readonly DueAlert[],
  {
    recipient,
    baseUrl,
    stop,
  }: { recipient: Omit<Recipient, 'email' | 'is_reachable'>; baseUrl: string; stop: StopLink },
) {
  const words = wordsFor(recipient);
  const stopLink = { label: words`Stop these emails`, url: stop.pageUrl };
  const { language, org_name: orgName } = recipient;
  const footer = words`You receive this because an alert rule of ${orgName} names you. Rules are managed in Whereabouts.`;
  const pageOf = (alert: DueAlert) => subjectOf(alert.event_type, alert.data, alert);
  const [first] = alerts;
  if (first && alerts.length === 1) {
    const text = alertText(recipient, first.event_type, first.data);
    const page = pageOf(first);
    return renderMail({
      language,
      subject: text,
      paragraphs: [words`${text}.`, words`Rule “${first.rule_name}”, ${alertWhen(recipient, first)}.`],
      links: [
        ...(page
          ? [{ label: page.name ? words`Open ${page.name}` : words`Open unknown tags`, url: `${baseUrl}${page.path}` }]
          : []),
        { label: words`Open the alert`, url: `${baseUrl}/alerts/${first.alert_id}` },
        stopLink,
      ],
      footer,
    });
  }
  const more = alerts.length - listedMax;
  return renderMail({
    language,
    subject: first
      ? words`${alertText(recipient, first.event_type, first.data)}, and ${alerts.length - 1} more`
      : words`${alerts.length} alerts in ${orgName}`,
    paragraphs: [
      more > 0
        ? words`${alerts.length} alerts in ${orgName}, the first ${listedMax} of them here:`
        : words`${alerts.length} alerts in ${orgName}:`,
    ],
    items: alerts.slice(0, listedMax).map((alert) => ({
      title: alertText(recipient, alert.event_type, alert.data),
      detail: words`${alert.rule_name}, ${alertWhen(recipient, alert)}`,
      url: `${baseUrl}${pageOf(alert)?.path ?? `/alerts/${alert.alert_id}`}`,
    })),
    links: [{ label: words`Open alerts`, url: `${baseUrl}/alerts` }, stopLink],
    footer,
  });
}

/** Returns the instant of an alert for a person. */
export function alertWhen(recipient: MailPerson, { data, opened_at: openedAt }: DueAlert): string {
  const at = typeof data['occurred_at'] === 'string' ? Date.parse(data['occurred_at']) : Number.NaN;
  return instantFor(recipient, Number.isNaN(at) ? openedAt : at);
}
