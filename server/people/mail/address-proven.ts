import type { TransactionClient } from '../../kernel/database/client.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';

/** The task that sends the alerts which have waited for the proof of an address. */
export const addressProvenTask = 'send_waiting_alerts';

export type AddressProvenPayload = { user_id: number };

/** Adds the job that sends what has waited for the proof of a person's address, if and when the transaction commits. */
export async function sendWaitingMails(tx: TransactionClient, userId: number): Promise<void> {
  const payload: AddressProvenPayload = { user_id: userId };
  await addJobs(tx, [{ task: addressProvenTask, payload }]);
}
