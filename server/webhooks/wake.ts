import type { NewJob } from '../jobs/queue-queries.js';

/** The tasks that send what is due to one endpoint: those that answer, and those whose last attempt failed. */
export const deliveryTasks = { usual: 'deliver_webhooks', failing: 'deliver_webhooks_again' } as const;

/** The job that sends what is due to an endpoint now. One that waits already is enough. */
export function wakeJob(endpointId: number, isFailing = false): NewJob {
  const task = isFailing ? deliveryTasks.failing : deliveryTasks.usual;
  return { task, payload: { endpoint_id: endpointId }, key: `${task}:${endpointId}` };
}
