import { randomUUID } from 'node:crypto';
import { refusal } from '../../kernel/errors.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import {
  type DeliveryRow,
  findDeliveries,
  findDelivery,
  insertDeliveries,
  resendDelivery,
} from './delivery-queries.js';
import { requireEndpoint } from './endpoints.js';
import { deliveryIdInput, endpointIdInput, listDeliveriesInput } from './schemas.js';
import { messageId } from './sign.js';
import { wakeJob } from './wake.js';

/** A delivery in the log. */
export type DeliveryView = ReturnType<typeof deliveryView>;

function deliveryView(row: DeliveryRow) {
  return { ...row, event_id: messageId(row.event_id) };
}

/** An endpoint's deliveries, newest first. `next_before_id` continues the list; null at its end. */
export const listDeliveries = sessionProcedure('admin')
  .input(listDeliveriesInput)
  .query(async ({ ctx, input }): Promise<{ data: DeliveryView[]; next_before_id: number | null }> => {
    const rows = await findDeliveries(ctx.services.db, ctx.orgId, input);
    const last = rows.length === input.limit ? rows.at(-1) : undefined;
    return { data: rows.map(deliveryView), next_before_id: last?.id ?? null };
  });

/** One delivery with the body as it is sent, and each attempt with the first 4 KiB of its answer. */
export const getDelivery = sessionProcedure('admin')
  .input(deliveryIdInput)
  .query(async ({ ctx, input }) => {
    const row = await findDelivery(ctx.services.db, ctx.orgId, input.id);
    if (!row) throw refusal('not_found', { what: 'Delivery' });
    const { attempt_rows: attempts, body, ...delivery } = row;
    return { ...deliveryView(delivery), body, attempt_list: attempts };
  });

/** Sends a delivery again, with the same id and body. 409 while it is pending or its endpoint is disabled. */
export const resend = sessionProcedure('admin')
  .input(deliveryIdInput)
  .mutation(async ({ ctx, input }): Promise<void> => {
    await ctx.services.db.$transaction(async (tx) => {
      await addJobs(tx, [wakeJob(await resendDelivery(tx, ctx.orgId, input.id))]);
    });
  });

/** Sends an event of the type `webhook.test` to an endpoint, and returns the delivery to look for in the log. */
export const sendTest = sessionProcedure('admin')
  .input(endpointIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<{ delivery_id: number }> => {
    const { db } = ctx.services;
    const disabled = refusal('endpoint_disabled');
    if (!(await requireEndpoint(db, ctx.orgId, id)).is_enabled) throw disabled;
    const at = formatTimestamp(Date.now());
    const body = JSON.stringify({
      type: 'webhook.test',
      timestamp: at,
      data: { organization_id: ctx.orgId, occurred_at: at, message: 'This is a test event.' },
    });
    return db.$transaction(async (tx) => {
      const delivery = { orgId: ctx.orgId, endpointId: id, eventKey: randomUUID(), eventType: 'webhook.test', body };
      const [deliveryId] = await insertDeliveries(tx, [delivery]);
      if (deliveryId === undefined) throw disabled;
      await addJobs(tx, [wakeJob(id)]);
      return { delivery_id: deliveryId };
    });
  });
