import type { ReceivedMessage } from './batch.js';

/** A message that waits to be stored, with the two ways in which that ends. */
export type Waiting = ReceivedMessage & { resolve(): void; reject(error: Error): void };

/** What one reader may put into a batch before the next has its turn. */
const turnReads = 50;

/** `out` counts the messages that are in batches; only without any has the reader a turn. */
type ReaderQueue = { readerId: number; waiting: Waiting[]; out: number };

/** `ready` holds the readers with messages and none out, longest without a turn first. */
type OrgQueue = {
  orgId: number;
  readers: Map<number, ReaderQueue>;
  ready: Set<ReaderQueue>;
  isBusy: boolean;
  /** Whether a batch of it waits for its tree; one such batch is enough. */
  isWaitedFor: boolean;
};

/**
 * The messages that wait, by organization and reader. Of one reader there is one batch out at a time, so that its messages
 * are settled in their order ([MQTT-4.6.0-2]); those of different readers are stored side by side. Organizations take
 * turns, and within them readers, so that nobody waits behind another one's backlog. An organization whose tree is being
 * changed is set apart until its messages get through.
 */
export function createMessageQueues() {
  const organizations = new Map<number, OrgQueue>();
  /** Those with ready readers, longest without a turn first. */
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

  /** Gives a reader its place after something of it came or was settled, and forgets whoever has nothing left. */
  function line(organization: OrgQueue, queue: ReaderQueue): void {
    if (queue.out === 0 && queue.waiting.length > 0) organization.ready.add(queue);
    if (queue.out === 0 && queue.waiting.length === 0) organization.readers.delete(queue.readerId);
    if (organization.readers.size === 0) organizations.delete(organization.orgId);
    place(organization);
  }

  function place(organization: OrgQueue): void {
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
    line(organization, queue);
  }

  /** Moves a turn's messages of the next reader into the batch, but at least one. */
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

  /** Takes turns until the batch holds as many reads as it may, a last turn's more, or nobody has any. */
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

  /** A batch of all that are ready; their readers are out until `release` or `putBack`. */
  function take(readsMax: number): Waiting[] {
    return takeFrom(ready, readsMax);
  }

  /** A batch of one organization that was found busy. */
  function takeBusy(readsMax: number): Waiting[] {
    const [organization] = busy;
    if (!organization) return [];
    busy.delete(organization);
    organization.isWaitedFor = true;
    return takeFrom(new Set([organization]), readsMax);
  }

  /** Nothing of the batch was stored: its messages are first in line again. */
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
      line(organization, queue);
    }
  }

  /** The messages of the batch are settled; their readers may have their turn again. */
  function release(batch: readonly Waiting[]): void {
    for (const messages of byReader(batch)) {
      const [first] = messages;
      if (!first) continue;
      const organization = organizationOf(first);
      const queue = queueOf(organization, first);
      queue.out -= messages.length;
      Object.assign(organization, { isBusy: false, isWaitedFor: false });
      line(organization, queue);
    }
  }

  /** Everything that waits, for good. */
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

  /** How many readers have messages that can be taken. */
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
