import type { NewJob } from '../../kernel/jobs/queue-queries.js';

/** The task that sends the due deliveries of one endpoint. */
export const deliveryTask = 'deliver_webhooks';

/** Returns the job that sends the due deliveries of an endpoint now. The queue has it at most once. */
export function wakeJob(endpointId: number): NewJob {
  return { task: deliveryTask, payload: { endpoint_id: endpointId }, key: `${deliveryTask}:${endpointId}` };
}
