import type { NewJob } from '../jobs/queue-queries.js';

/** The task that sends what is due to one endpoint. */
export const deliveryTask = 'deliver_webhooks';

/** The job that sends what is due to an endpoint now. One that waits already is enough. */
export function wakeJob(endpointId: number): NewJob {
  return { task: deliveryTask, payload: { endpoint_id: endpointId }, key: `${deliveryTask}:${endpointId}` };
}

/** As `wakeJob`, at a time in epoch milliseconds. It is a job of its own, so that it does not delay what is due now. */
export function wakeJobAt(endpointId: number, runAtMs: number): NewJob {
  const job = wakeJob(endpointId);
  return { ...job, key: `${job.key}:later`, runAtMs };
}
