import type { ReceivedMessage } from './batch.js';

/** A message that waits to be stored, with the functions that settle it. */
export type Waiting = ReceivedMessage & { resolve(): void; reject(error: Error): void };

/** Reads that one reader may add to a batch before the next reader's turn. */
const turnReads = 50;

/** `out` counts the messages that are in batches. A reader with any has no turn. */
type ReaderQueue = { readerId: number; waiting: Waiting[]; out: number };

/** `ready` holds the readers with messages and none in batches, longest without a turn first. */
type OrgQueue = {
  orgId: number;
  readers: Map<number, ReaderQueue>;
  ready: Set<ReaderQueue>;
  isBusy: boolean;
  /** Whether one of its batches waits for its tree; one such batch is enough. */
  isWaitedFor: boolean;
};

/**
 * Creates the queues of messages that wait, by organization and reader. Each reader has one batch in work at a time, so
 * that its messages are settled in order ([MQTT-4.6.0-2]); those of different readers are stored concurrently. Turns
 * are round-robin over organizations, and within each over readers, so nobody waits behind another's backlog. An
 * organization whose tree is being changed is kept apart until its messages are stored.
 */
export function createMessageQueues() {
  const organizations = new Map<number, OrgQueue>();
  /** Organizations with ready readers, longest without a turn first. */
  const ready = new Set<OrgQueue>();
  const busy = new Set<OrgQueue>();
  let waitingMessages = 0;
  let waitingReads = 0;

  function organizationOf({ message: { orgId } }: Waiting): OrgQueue {
    let organization = organizations.get(orgId);
    if (!organization) {
      organization = { orgId, readers: new Map(), ready: new Set(), isBusy: false, isWaitedFor: false };
      organizations.set(orgId, organization);
    }
    return organization;
  }

  function queueOf(organization: OrgQueue, { message: { readerId } }: Waiting): ReaderQueue {
    let queue = organization.readers.get(readerId);
    if (!queue) {
      queue = { readerId, waiting: [], out: 0 };
      organization.readers.set(readerId, queue);
    }
    return queue;
  }

  /**
   * Queues a reader after a message of it came or was settled; removes readers and organizations that have nothing
   * left.
   */
  function enqueueReader(organization: OrgQueue, queue: ReaderQueue): void {
    if (queue.out === 0 && queue.waiting.length > 0) organization.ready.add(queue);
    if (queue.out === 0 && queue.waiting.length === 0) organization.readers.delete(queue.readerId);
    if (organization.readers.size === 0) organizations.delete(organization.orgId);
    enqueueOrganization(organization);
  }

  function enqueueOrganization(organization: OrgQueue): void {
    const [its, other] = organization.isBusy ? [busy, ready] : [ready, busy];
    other.delete(organization);
    if (organization.ready.size === 0 || organization.isWaitedFor) its.delete(organization);
    else its.add(organization);
  }

  function add(message: Waiting): void {
    const organization = organizationOf(message);
    const queue = queueOf(organization, message);
    queue.waiting.push(message);
    waitingMessages += 1;
    waitingReads += weightOf(message);
    enqueueReader(organization, queue);
  }

  /** Moves the messages of the next reader's turn into the batch, at least one. */
  function takeTurn(organization: OrgQueue, batch: Waiting[]): number {
    const [queue] = organization.ready;
    if (!queue) return 0;
    organization.ready.delete(queue);
    let weight = 0;
    let count = 0;
    while (count < queue.waiting.length && weight < turnReads) {
      weight += weightOf(queue.waiting[count] as Waiting);
      count += 1;
    }
    for (const message of queue.waiting.splice(0, count)) batch.push(message);
    queue.out += count;
    waitingMessages -= count;
    waitingReads -= weight;
    if (queue.waiting.length > 0) organization.ready.add(queue);
    return weight;
  }

  /** Takes turns until the batch has `readsMax` reads, plus the rest of the last turn, or the queue is empty. */
  function takeFrom(queue: Set<OrgQueue>, readsMax: number): Waiting[] {
    const batch: Waiting[] = [];
    for (let left = readsMax; left > 0; ) {
      const [organization] = queue;
      if (!organization) break;
      queue.delete(organization);
      left -= takeTurn(organization, batch);
      if (organization.ready.size > 0) queue.add(organization);
    }
    for (const message of batch) {
      const organization = organizationOf(message);
      organization.ready.delete(queueOf(organization, message));
      if (organization.ready.size === 0) queue.delete(organization);
    }
    return batch;
  }

  /** Takes a batch from all ready readers. They have no turn until `release` or `putBack`. */
  function take(readsMax: number): Waiting[] {
    return takeFrom(ready, readsMax);
  }

  /** Takes a batch of one organization that was found busy. */
  function takeBusy(readsMax: number): Waiting[] {
    const [organization] = busy;
    if (!organization) return [];
    busy.delete(organization);
    organization.isWaitedFor = true;
    return takeFrom(new Set([organization]), readsMax);
  }

  /** Puts the messages of a batch of which nothing was stored back to the front of the queue. */
  function putBack(batch: readonly Waiting[], busyOrgIds: ReadonlySet<number>): void {
    for (const messages of byReader(batch)) {
      const [first] = messages;
      if (!first) continue;
      const organization = organizationOf(first);
      const queue = queueOf(organization, first);
      queue.waiting.unshift(...messages);
      queue.out -= messages.length;
      waitingMessages += messages.length;
      for (const message of messages) waitingReads += weightOf(message);
      Object.assign(organization, { isBusy: busyOrgIds.has(organization.orgId), isWaitedFor: false });
      enqueueReader(organization, queue);
    }
  }

  /** Lets the readers of a settled batch take turns again. */
  function release(batch: readonly Waiting[]): void {
    for (const messages of byReader(batch)) {
      const [first] = messages;
      if (!first) continue;
      const organization = organizationOf(first);
      const queue = queueOf(organization, first);
      queue.out -= messages.length;
      Object.assign(organization, { isBusy: false, isWaitedFor: false });
      enqueueReader(organization, queue);
    }
  }

  /** Removes and returns everything that waits. */
  function drain(): Waiting[] {
    const rest = [...organizations.values()].flatMap(({ readers }) =>
      [...readers.values()].flatMap((queue) => {
        queue.out += queue.waiting.length;
        return queue.waiting.splice(0);
      }),
    );
    for (const organization of organizations.values()) organization.ready.clear();
    ready.clear();
    busy.clear();
    waitingMessages = 0;
    waitingReads = 0;
    return rest;
  }

  /** Returns how many readers have messages that can be taken. */
  function readers(): number {
    let count = 0;
    for (const organization of ready) count += organization.ready.size;
    return count;
  }

  return {
    add,
    take,
    takeBusy,
    putBack,
    release,
    drain,
    readers,
    messages: () => waitingMessages,
    reads: () => waitingReads,
  };
}

function byReader(batch: readonly Waiting[]): Iterable<Waiting[]> {
  const groups = new Map<number, Waiting[]>();
  for (const waiting of batch) {
    const group = groups.get(waiting.message.readerId);
    if (group) group.push(waiting);
    else groups.set(waiting.message.readerId, [waiting]);
  }
  return groups.values();
}

function weightOf({ message: { content } }: Waiting): number {
  return content.kind === 'reads' ? Math.max(1, content.reads.length) : 1;
}
