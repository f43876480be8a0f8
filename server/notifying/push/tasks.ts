import type { Database } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import type { Log } from '../../kernel/log.js';
import type { Settings } from '../../kernel/settings.js';
import { wordsFor } from '../../people/mail/person.js';
import {
  alertPushTask,
  type DueAlert,
  type Recipient,
  removeAlertEmails,
  takeDueAlerts,
} from '../alerts/alert-email-queries.js';
import { alertWhen } from '../alerts/alert-mail.js';
import { alertText } from '../alerts/alert-text.js';
import type { WebhookSender } from '../webhooks/send.js';
import { pushKeys } from './keys.js';
import { keptSeconds, type Notice, pushRequest } from './message.js';
import { findDevice, findDevices, removeDevice } from './queries.js';

const sendPushTask = 'send_push';

/** The most texts of alerts in one notification. */
const listedMax = 3;
/** Push services take 4 KiB. */
const titleMax = 200;
const bodyMax = 600;
/** Concurrent jobs of one organization, so that addresses that do not answer do not delay other organizations. */
const queuesPerOrganization = 2;

type Payload = { org_id: number; user_id: number };
type SendPayload = { org_id: number; id: number; notice: Notice; until: number };

export type PushOptions = {
  db: Database;
  sender: WebhookSender;
  settings: Pick<Settings, 'authSecret' | 'baseUrl'>;
  log: Log;
};

/**
 * Creates the two tasks that send alerts to devices. The first takes the alerts that are due to a person and adds a job
 * for each device, in one transaction. The second sends one notification, and repeats it for a day until the push
 * service accepts it.
 */
export function createPushTasks(options: PushOptions): Record<string, Task> {
  return {
    [alertPushTask]: (payload) => queueNotices(options.db, payload as Payload),
    [sendPushTask]: (payload, signal) => sendNotice(options, payload as SendPayload, signal),
  };
}

async function queueNotices(db: Database, { org_id: orgId, user_id: userId }: Payload): Promise<void> {
  const due = await takeDueAlerts(db, { orgId, userId, byPush: true });
  if (!due) return;
  const { alerts, person } = due;
  await db.$transaction(async (tx) => {
    const ids = alerts.map(({ id }) => id);
    // If this process was frozen, another process may have taken the alerts.
    if ((await removeAlertEmails(tx, ids)) < ids.length || !person) return;
    const devices = await findDevices(tx, orgId, { userId });
    const notice = noticeOf(person, alerts);
    const until = Date.now() + keptSeconds * 1000;
    await addJobs(
      tx,
      devices.map(({ id }) => ({
        task: sendPushTask,
        payload: { org_id: orgId, id, notice, until },
        queue: `push ${orgId} ${id % queuesPerOrganization}`,
      })),
    );
  });
}

/** Returns the notification about one alert, or about several, in the language of the person. */
export function noticeOf(person: Recipient, alerts: readonly DueAlert[]): Notice {
  const words = wordsFor(person);
  const texts = alerts.map((alert) => alertText(person, alert.event_type, alert.data));
  const [first] = alerts;
  if (first && alerts.length === 1) {
    const path = `/alerts/${first.alert_id}`;
    return noticed({ title: texts[0] ?? '', body: `${first.rule_name}, ${alertWhen(person, first)}`, path, tag: path });
  }
  const title = words`${alerts.length} alerts in ${person.org_name}`;
  return noticed({
    title,
    body: texts.slice(0, listedMax).join('\n'),
    path: '/alerts',
    tag: `/alerts ${first?.alert_id}`,
  });
}

function noticed({ title, body, ...rest }: Notice): Notice {
  return { ...rest, title: title.slice(0, titleMax).toWellFormed(), body: body.slice(0, bodyMax).toWellFormed() };
}

/** Statuses by which push services answer that a subscription has ended, or belongs to another key. */
const endedStatuses: readonly (number | null)[] = [401, 403, 404, 410];

async function sendNotice(options: PushOptions, payload: SendPayload, signal: AbortSignal): Promise<void> {
  const { db, sender, settings, log } = options;
  const { org_id: orgId, id, notice, until } = payload;
  const device = Date.now() < until ? await findDevice(db, orgId, { id }) : undefined;
  if (!device) return;
  const key = pushKeys(settings).find((candidate) => candidate.id === device.key_id);
  // Nothing can be sent to a device whose key is unknown or not a point on the curve.
  const request = key && (await pushRequest(device, notice, { key, baseUrl: settings.baseUrl }).catch(() => undefined));
  if (!request) return removeDevice(db, orgId, device);
  const { statusCode, error } = await sender.send(request, signal);
  if (endedStatuses.includes(statusCode)) return removeDevice(db, orgId, device);
  const isAccepted = statusCode !== null && statusCode < 300;
  if (isAccepted) return;
  const isLater = statusCode === null || statusCode === 429 || statusCode >= 500;
  if (isLater) throw new Error(`the push service did not accept a notification: ${statusCode ?? error}`);
  log.warn({ orgId, statusCode }, 'a push service rejected a notification');
}
