import { conditionsTask, createConditionsTask } from '../alert-rules/conditions.js';
import { alertEmailTask } from '../alerts/alert-email-queries.js';
import { openDatabase } from '../../kernel/database/client.js';
import { createJobs, type JobStats } from '../../kernel/jobs/jobs.js';
import type { JobWorkersOptions, Task } from '../../kernel/jobs/job-workers.js';
import type { Log } from '../../kernel/log.js';
import { createAddressProvenTask, createAlertMailTask } from '../alerts/alert-mail.js';
import { addressProvenTask } from '../../people/mail/address-proven.js';
import { createCredentialMailTask, credentialMailTask } from '../../people/mail/credential-change.js';
import { createEndpointMailTask, endpointMailTask } from '../webhooks/endpoint-disabled-mail.js';
import type { Mailer } from '../../people/mail/mailer.js';
import { createPasswordResetTask, passwordResetTask } from '../../people/mail/password-reset.js';
import type { Settings } from '../../kernel/settings.js';
import { createDeliverer, type DeliveryStats, wakeDueEndpoints } from '../webhooks/deliver.js';
import { createPushTasks } from '../push/tasks.js';
import { createWebhookSender } from '../webhooks/send.js';
import { deliveryTask } from '../webhooks/wake.js';
import { createRouteTask, routeTask, wakeRouting } from './route-events.js';

/** Turns events into alerts, webhooks and mails, in this process. */
export type Outbound = {
  start(): void;
  /** Finishes the running jobs, or returns them to other processes. */
  stop(): Promise<void>;
  stats(): OutboundStats;
};

export type OutboundStats = JobStats & { deliveries: DeliveryStats };

export type OutboundOptions = {
  databaseUrl: string;
  settings: Settings;
  log: Log;
  mailer: Mailer | undefined;
  /** Tasks with workers of their own, and the names of the repeated ones. */
  more: { tasks: Record<string, Task>; repeated: readonly string[] };
  /** See `JobsOptions`. */
  repeatMs?: number | undefined;
};

const sweepTask = 'sweep_events';

/** Connections of the tasks, separate from the connections of requests. */
const connections = 5;

/**
 * Concurrent jobs. A burst of events can keep routing busy, so deliveries, timed conditions and mail have workers of
 * their own. Mail waits for the mail server.
 */
const jobsAtOnce = { routing: 2, deliveries: 2, clock: 1, mail: 2, push: 8, more: 2 } as const;

/** How long a job or a request may continue while the process stops. */
const finishMs = 1500;

/** Creates the tasks and their workers. Nothing runs, and nothing is connected, before `start`. */
export function createOutbound({ databaseUrl, settings, log, mailer, more, repeatMs }: OutboundOptions): Outbound {
  const { db, close } = openDatabase({ url: databaseUrl, poolSize: connections, log });
  const sender = createWebhookSender({ allowsPrivate: settings.webhooksAllowPrivateAddresses });
  const isMailConfigured = mailer !== undefined;
  const deliverer = createDeliverer({ db, sender, log, isMailConfigured });
  const clock: Record<string, Task> = {
    [conditionsTask]: createConditionsTask({ db, log, isMailConfigured }),
    [addressProvenTask]: createAddressProvenTask({ db }),
    [sweepTask]: async () => {
      await wakeRouting(db);
      await wakeDueEndpoints(db);
    },
  };
  const workers: JobWorkersOptions[] = [
    { tasks: { [routeTask]: createRouteTask({ db, isMailConfigured }) }, concurrency: jobsAtOnce.routing },
    { tasks: { [deliveryTask]: deliverer.task }, concurrency: jobsAtOnce.deliveries },
    { tasks: clock, concurrency: jobsAtOnce.clock },
    { tasks: createPushTasks({ db, sender, settings, log }), concurrency: jobsAtOnce.push },
  ];
  if (mailer) {
    const options = { db, mailer, baseUrl: settings.baseUrl, log };
    const tasks = {
      [alertEmailTask]: createAlertMailTask({ ...options, settings }),
      [endpointMailTask]: createEndpointMailTask(options),
      [passwordResetTask]: createPasswordResetTask(options),
      [credentialMailTask]: createCredentialMailTask(options),
    };
    workers.push({ tasks, concurrency: jobsAtOnce.mail });
  }
  workers.push({ tasks: more.tasks, concurrency: jobsAtOnce.more });
  const repeated = [conditionsTask, sweepTask, ...more.repeated];
  const jobs = createJobs({ db, databaseUrl, log, workers, repeated, finishMs, repeatMs });
  return {
    start: () => jobs.start(),
    async stop() {
      await Promise.all([jobs.stop(), deliverer.stop(finishMs)]);
      sender.close();
      await close();
    },
    stats: () => ({ ...jobs.stats(), deliveries: deliverer.stats() }),
  };
}
