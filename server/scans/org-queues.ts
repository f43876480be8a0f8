import type { ReceivedMessage } from './batch.js';

/** A message that waits to be stored, with the two ways in which that ends. */
export type Waiting = ReceivedMessage & { resolve(): void; reject(error: Error): void };

type OrgQueue = { orgId: number; waiting: Waiting[]; isBusy: boolean };

/**
 * The messages that wait, by organisation. Of one organisation there is one batch out at a time, so that messages are
 * settled in their order and no two batches wait for the same rows; an organisation whose tree is being changed is set
 * apart until its messages get through.
 */
export function createOrgQueues() {
  const queues = new Map<number, OrgQueue>();
  /** Those with messages and none out, longest without a turn first. */
  const ready = new Set<OrgQueue>();
  const busy = new Set<OrgQueue>();
  let waitingMessages = 0;
  let waitingReads = 0;

  function line(queue: OrgQueue): void {
    if (queue.waiting.length === 0) queues.delete(queue.orgId);
    else (queue.isBusy ? busy : ready).add(queue);
  }

  function add(message: Waiting): void {
    const { orgId } = message.message;
    let queue = queues.get(orgId);
    if (!queue) {
      queue = { orgId, waiting: [], isBusy: false };
      queues.set(orgId, queue);
      ready.add(queue);
    }
    queue.waiting.push(message);
    waitingMessages += 1;
    waitingReads += weightOf(message);
  }

  /** Takes messages out of a queue until the batch holds as many reads as it may, but at least one message. */
  function takeFrom(queue: OrgQueue, batch: Waiting[], weight: { left: number }): void {
    let count = 0;
    while (count < queue.waiting.length && (weight.left > 0 || batch.length + count === 0)) {
      weight.left -= weightOf(queue.waiting[count] as Waiting);
      count += 1;
    }
    const taken = queue.waiting.splice(0, count);
    for (const message of taken) {
      batch.push(message);
      waitingReads -= weightOf(message);
    }
    waitingMessages -= count;
  }

  /** A batch of all that are ready; they are out until `release` or `putBack`. */
  function take(readsMax: number): Waiting[] {
    const batch: Waiting[] = [];
    const weight = { left: readsMax };
    for (const queue of ready) {
      if (weight.left <= 0) break;
      ready.delete(queue);
      takeFrom(queue, batch, weight);
    }
    return batch;
  }

  /** A batch of one organisation that was found busy. */
  function takeBusy(readsMax: number): Waiting[] {
    const batch: Waiting[] = [];
    for (const queue of busy) {
      busy.delete(queue);
      takeFrom(queue, batch, { left: readsMax });
      break;
    }
    return batch;
  }

  /** Nothing of the batch was stored: its messages are first in line again. */
  function putBack(batch: readonly Waiting[], busyOrgIds: ReadonlySet<number>): void {
    for (const [orgId, messages] of byOrganization(batch)) {
      const queue = queues.get(orgId) ?? { orgId, waiting: [], isBusy: false };
      queues.set(orgId, queue);
      queue.waiting.unshift(...messages);
      queue.isBusy = busyOrgIds.has(orgId);
      waitingMessages += messages.length;
      for (const message of messages) waitingReads += weightOf(message);
      line(queue);
    }
  }

  /** The messages of the batch are settled; their organisations may have their turn again. */
  function release(batch: readonly Waiting[]): void {
    for (const orgId of new Set(batch.map(({ message }) => message.orgId))) {
      const queue = queues.get(orgId);
      if (!queue) continue;
      queue.isBusy = false;
      line(queue);
    }
  }

  /** Everything that waits, for good. */
  function drain(): Waiting[] {
    const rest = [...queues.values()].flatMap(({ waiting }) => waiting.splice(0));
    queues.clear();
    ready.clear();
    busy.clear();
    waitingMessages = 0;
    waitingReads = 0;
    return rest;
  }

  return { add, take, takeBusy, putBack, release, drain, messages: () => waitingMessages, reads: () => waitingReads };
}

function byOrganization(batch: readonly Waiting[]): Map<number, Waiting[]> {
  const groups = new Map<number, Waiting[]>();
  for (const waiting of batch) {
    const { orgId } = waiting.message;
    const group = groups.get(orgId);
    if (group) group.push(waiting);
    else groups.set(orgId, [waiting]);
  }
  return groups;
}

function weightOf({ message: { content } }: Waiting): number {
  return content.kind === 'reads' ? Math.max(1, content.reads.length) : 1;
}
