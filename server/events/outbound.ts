import { conditionsTask, createConditionsTask } from '../alert-rules/conditions.js';
import { alertEmailTask } from '../alerts/alert-email-queries.js';
import { createDatabase } from '../database/client.js';
import { createJobs, type JobStats } from '../jobs/jobs.js';
import type { Task } from '../jobs/lanes.js';
import type { Log } from '../log.js';
import { createAlertMailTask } from '../mail/alert-mail.js';
import { createEndpointMailTask, endpointMailTask } from '../mail/endpoint-disabled.js';
import type { Mailer } from '../mail/mailer.js';
import type { Settings } from '../settings.js';
import { createDeliveryTasks, wakeDueEndpoints } from '../webhooks/deliver.js';
import { createWebhookSender } from '../webhooks/send.js';
import { createRouteTask, routeTask, wakeRouting } from './route-events.js';

/** What turns events into alerts, webhooks and mails, in this process. */
export type Outbound = {
  start(): void;
  /** Finishes what is under way, or returns it to other processes. */
  stop(): Promise<void>;
  stats(): JobStats;
};

export type OutboundOptions = { databaseUrl: string; settings: Settings; log: Log; mailer: Mailer | undefined };

const sweepTask = 'sweep_events';

/** Connections of the tasks, so that they wait for no request and no request waits for them. */
const connections = 4;

/** Jobs at once, by lane. Those of endpoints that fail mostly wait for a time-out. */
const usualJobs = 6;
const failingJobs = 16;
const mailJobs = 2;

/** Creates the tasks and their workers. Nothing runs, and nothing is connected, before `start`. */
export function createOutbound({ databaseUrl, settings, log, mailer }: OutboundOptions): Outbound {
  const db = createDatabase({ url: databaseUrl, poolSize: connections, log });
  const sender = createWebhookSender({ allowsPrivate: settings.webhooksAllowPrivateAddresses });
  const isMailConfigured = mailer !== undefined;
  const deliveries = createDeliveryTasks({ db, sender, isMailConfigured });
  const usual: Record<string, Task> = {
    ...deliveries.usual,
    [routeTask]: createRouteTask({ db, isMailConfigured }),
    [conditionsTask]: createConditionsTask({ db, log, isMailConfigured }),
    [sweepTask]: async () => {
      await wakeRouting(db);
      await wakeDueEndpoints(db);
    },
  };
  const lanes = [
    { tasks: usual, concurrency: usualJobs },
    { tasks: deliveries.failing, concurrency: failingJobs },
  ];
  if (mailer) {
    const options = { db, mailer, baseUrl: settings.baseUrl };
    const tasks = {
      [alertEmailTask]: createAlertMailTask(options),
      [endpointMailTask]: createEndpointMailTask(options),
    };
    lanes.push({ tasks, concurrency: mailJobs });
  }
  const jobs = createJobs({ db, databaseUrl, log, lanes, repeated: [conditionsTask, sweepTask] });
  return {
    start: () => jobs.start(),
    async stop() {
      await jobs.stop();
      sender.close();
      await db.$disconnect();
    },
    stats: () => jobs.stats(),
  };
}
