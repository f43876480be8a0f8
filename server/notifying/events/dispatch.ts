import { queueAlertEmails } from '../alerts/alert-email-queries.js';
import { type Firing, openAlerts, type OpenedAlert } from '../alerts/open-alerts.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { insertDeliveries, type NewDelivery } from '../webhooks/delivery-queries.js';
import { type Subscriber, withinBacklog } from '../webhooks/backlog.js';
import { wakeJob } from '../webhooks/wake.js';
import type { DescribedEvent } from './describe-event.js';

export type Dispatch = {
  firings: readonly Firing[];
  /** Events that go to endpoints regardless of rules. */
  direct: readonly DescribedEvent[];
  /** The enabled endpoints of the organizations concerned. */
  subscribers: readonly Subscriber[];
  isMailConfigured: boolean;
};

/** An event for one endpoint, with the rules that send it. */
type Parcel = { subscriber: Subscriber; event: DescribedEvent; rules: { id: number; name: string }[] };

/**
 * Opens alerts, queues webhook deliveries and mails, and adds the jobs that send them, all in the caller's transaction.
 * An event goes to an endpoint once, even if several rules send it.
 */
export async function dispatch(
  tx: TransactionClient,
  { firings, direct, subscribers, isMailConfigured }: Dispatch,
): Promise<OpenedAlert[]> {
  const opened = await openAlerts(tx, firings);
  const parcels = new Map<string, Parcel>();
  for (const { firing } of opened) {
    const { rule, event, isCondition } = firing;
    for (const subscriber of subscribers) {
      const isSubscribed = isCondition && subscriber.event_types.includes(event.type);
      if (subscriber.org_id === event.orgId && (isSubscribed || rule.endpoint_ids.includes(subscriber.id))) {
        addParcel(parcels, { subscriber, event }, { id: rule.id, name: rule.name });
      }
    }
  }
  for (const event of direct) {
    for (const subscriber of subscribers) {
      if (subscriber.org_id === event.orgId && subscriber.event_types.includes(event.type)) {
        addParcel(parcels, { subscriber, event });
      }
    }
  }
  const accepted = await withinBacklog(tx, [...parcels.values()].map(deliveryOf));
  await insertDeliveries(tx, accepted);
  const woken = new Set(accepted.map(({ endpointId }) => endpointId));
  await addJobs(tx, [...woken].map(wakeJob));
  await queueAlertEmails(tx, opened, { nowMs: Date.now(), isMailConfigured });
  return opened;
}

function addParcel(
  parcels: Map<string, Parcel>,
  { subscriber, event }: Pick<Parcel, 'subscriber' | 'event'>,
  rule?: Parcel['rules'][number],
): void {
  const key = `${subscriber.id} ${event.key}`;
  const parcel = parcels.get(key) ?? { subscriber, event, rules: [] };
  if (rule) parcel.rules.push(rule);
  parcels.set(key, parcel);
}

function deliveryOf({ subscriber, event, rules }: Parcel): NewDelivery {
  const { orgId, key, type, occurredAtMs, data } = event;
  const body = JSON.stringify({
    type,
    timestamp: formatTimestamp(occurredAtMs),
    data,
    ...(rules.length > 0 && { rules }),
  });
  return { orgId, endpointId: subscriber.id, eventKey: key, eventType: type, body };
}
