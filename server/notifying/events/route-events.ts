import { activeHours } from '../alert-rules/schedule.js';
import { matchesCondition } from '../alert-rules/match.js';
import { findRulesFor, metadataKeysOf, type RuleRow } from '../alert-rules/queries.js';
import type { Firing } from '../alerts/open-alerts.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { findSubscribers } from '../webhooks/backlog.js';
import { type DescribedEvent, describeEvent, referencesOf } from './describe-event.js';
import { dispatch } from './dispatch.js';
import { readOutbox, removeFromOutbox, takeTurns } from './outbox-queries.js';
import { looksUnchanged } from './recorded-states.js';
import { readSubjects } from './subjects.js';

export const routeTask = 'route_events';

/** If another process is routing an organization, it is tried again after this time. */
const busyRetryMs = 200;

type Router = { db: Database; isMailConfigured: boolean };

/**
 * Creates the task that turns waiting events into alerts, deliveries and mails. Each round is one transaction that also
 * deletes the events, so an event is routed exactly once, even if a process is killed.
 */
export function createRouteTask({ db, isMailConfigured }: Router): Task {
  return async (_payload, signal) => {
    for (;;) {
      const { routed, isBusy } = await db.$transaction((tx) => routeRound(tx, isMailConfigured));
      if (routed === 0) {
        if (isBusy)
          await addJobs(db, [{ task: routeTask, key: `${routeTask}:busy`, runAtMs: Date.now() + busyRetryMs }]);
        return;
      }
      if (signal.aborted) {
        await addJobs(db, [{ task: routeTask }]);
        return;
      }
    }
  };
}

/** Adds the routing job if events are waiting and there is no such job. */
export async function wakeRouting(db: Database): Promise<void> {
  const [{ waits }] = await db.$queryRaw<[{ waits: boolean }]>`SELECT EXISTS (SELECT FROM outbox_events) AS waits`;
  if (waits) await addJobs(db, [{ task: routeTask, key: `${routeTask}:swept` }]);
}

async function routeRound(
  tx: TransactionClient,
  isMailConfigured: boolean,
): Promise<{ routed: number; isBusy: boolean }> {
  const { orgIds, isBusy } = await takeTurns(tx);
  if (orgIds.length === 0) return { routed: 0, isBusy };
  const waiting = await readOutbox(tx, orgIds);
  if (waiting.length === 0) return { routed: 0, isBusy };
  const types = [...new Set(waiting.map(({ type }) => type))];
  const rules = await findRulesFor(tx, orgIds, types);
  const subscribers = await findSubscribers(tx, orgIds);
  const isWanted = ({ org_id, type }: { org_id: number; type: DescribedEvent['type'] }) =>
    rules.some((rule) => rule.org_id === org_id && rule.event_type === type) ||
    subscribers.some((subscriber) => subscriber.org_id === org_id && subscriber.event_types.includes(type));
  const wanted = waiting.filter(isWanted);
  const subjects = await readSubjects(tx, referencesOf(wanted), metadataKeysOf(rules));
  const events = wanted.map((event) => describeEvent(event, subjects)).filter(({ data }) => !looksUnchanged(data));
  await dispatch(tx, { firings: firingsOf(events, rules), direct: events, subscribers, isMailConfigured });
  await removeFromOutbox(
    tx,
    waiting.map(({ id }) => id),
  );
  return { routed: waiting.length, isBusy };
}

function firingsOf(events: readonly DescribedEvent[], rules: readonly RuleRow[]): Firing[] {
  const prepared = rules.map((rule) => ({ rule, isActive: activeHours(rule.schedule) }));
  return events.flatMap((event) =>
    prepared
      .filter(
        ({ rule, isActive }) =>
          rule.org_id === event.orgId &&
          rule.event_type === event.type &&
          matchesCondition(rule.condition, event.matched) &&
          isActive(event.occurredAtMs),
      )
      .map(({ rule }): Firing => ({ rule, event, isCondition: false })),
  );
}
