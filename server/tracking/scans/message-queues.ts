import type { ReceivedMessage } from './batch.js';

/** A message that waits to be stored, with the functions that settle it. */
export type Waiting = ReceivedMessage & {
  resolve(): void;
  reject(error: Error): void;
  /** Whether the database has its whole batch, though the batch may not be committed yet. */
  isSent?: boolean;
};

/** A reader may add this many reads to a batch before the next reader's turn. */
const turnReads = 50;
/**
 * The most reads of a batch; the rest of the last turn comes on top. A batch takes at most half of the reads that wait or
 * are in work, so that this process decides about one half while the database stores the other half.
 */
const batchReadsMax = 4000;
/**
 * A batch with fewer reads than this takes further organizations. Large organizations thus have batches of their own,
 * which are stored in parallel.
 */
const smallBatchReads = 500;
/**
 * With this many reads, a batch begins while the previous batch is being committed. With fewer reads it waits, since
 * one larger batch is less work.
 */
const earlyBatchReads = 500;

type Organization = {
  id: number;
  /** The messages that wait, by reader; the reader that has waited longest for its turn first. */
  readers: Map<number, Waiting[]>;
  /** The reads that wait, and the reads in batches. */
  reads: number;
  readsInWork: number;
  /**
   * Messages in batches, and how many of these messages the database does not have yet. While there are such messages,
   * no further batch begins.
   */
  inWork: number;
  unsent: number;
};

/**
 * Creates the queues of messages that wait, by organization and reader. The batches of an organization follow each
 * other: the next batch begins when the previous one is settled. If enough messages wait, it begins already when the
 * database has the whole previous batch; the database then makes it wait for assets that both batches contain.
 * Organizations take turns, and so do the readers of an organization, so nobody waits behind another's backlog.
 */
export function createMessageQueues() {
  const organizations = new Map<number, Organization>();
  /** Organizations whose next batch can begin; the organization that has been without a batch longest is first. */
  const ready = new Set<Organization>();
  let waiting = 0;

  function organizationOf(id: number): Organization {
    let organization = organizations.get(id);
    if (!organization) {
      organization = { id, readers: new Map(), reads: 0, readsInWork: 0, inWork: 0, unsent: 0 };
      organizations.set(id, organization);
    }
    return organization;
  }

  function add(message: Waiting): void {
    const { orgId, readerId } = message.message;
    const organization = organizationOf(orgId);
    const messages = organization.readers.get(readerId);
    if (messages) messages.push(message);
    else organization.readers.set(readerId, [message]);
    waiting += 1;
    organization.reads += readsOf(message);
    addIfReady(organization);
  }

  function addIfReady(organization: Organization): void {
    const { readers, reads, inWork, unsent } = organization;
    if (readers.size > 0 && unsent === 0 && (inWork === 0 || reads >= earlyBatchReads)) ready.add(organization);
  }

  /** Moves the messages of the next reader's turn into the batch, at least one, and returns how many reads they have. */
  function takeTurn(organization: Organization, batch: Waiting[]): number {
    const { readers } = organization;
    const [next] = readers;
    if (!next) return 0;
    const [readerId, messages] = next;
    let reads = 0;
    let count = 0;
    while (count < messages.length && reads < turnReads) {
      reads += readsOf(messages[count] as Waiting);
      count += 1;
    }
    batch.push(...messages.splice(0, count));
    organization.reads -= reads;
    organization.readsInWork += reads;
    readers.delete(readerId);
    if (messages.length > 0) readers.set(readerId, messages);
    return reads;
  }

  /**
   * Takes waiting messages of the next organization: at most 4,000 reads, and at most half of the reads that are not
   * stored. Small organizations share a batch, since each batch has a fixed cost. No further batch contains an
   * organization until all its messages were sent or settled.
   */
  function take(): Waiting[] {
    const batch: Waiting[] = [];
    let reads = 0;
    for (const organization of ready) {
      if (reads >= smallBatchReads) break;
      ready.delete(organization);
      const before = batch.length;
      const half = Math.max(smallBatchReads, (organization.reads + organization.readsInWork) / 2);
      const untilReads = reads + Math.min(half, batchReadsMax - reads);
      while (organization.readers.size > 0 && reads < untilReads) reads += takeTurn(organization, batch);
      organization.unsent = batch.length - before;
      organization.inWork += organization.unsent;
    }
    waiting -= batch.length;
    return batch;
  }

  /** Lets the next batch of the organizations begin if all their messages were sent. */
  function sent(messages: readonly Waiting[]): void {
    for (const waiting of messages) {
      if (waiting.isSent) continue;
      waiting.isSent = true;
      const organization = organizationOf(waiting.message.orgId);
      organization.unsent -= 1;
      addIfReady(organization);
    }
  }

  /** Removes messages that were stored or rejected from the batches in work. */
  function settled(messages: readonly Waiting[]): void {
    sent(messages);
    for (const waiting of messages) {
      const organization = organizationOf(waiting.message.orgId);
      organization.inWork -= 1;
      // A message that cannot be stored is settled without its reads.
      organization.readsInWork = organization.inWork === 0 ? 0 : organization.readsInWork - readsOf(waiting);
      if (organization.inWork > 0 || organization.readers.size > 0) addIfReady(organization);
      else organizations.delete(organization.id);
    }
  }

  /** Takes all waiting messages, also of organizations with a batch in work. */
  function drain(): Waiting[] {
    const rest: Waiting[] = [];
    for (const organization of organizations.values()) {
      const messages = [...organization.readers.values()].flat();
      organization.readers.clear();
      organization.readsInWork += organization.reads;
      organization.reads = 0;
      organization.inWork += messages.length;
      organization.unsent += messages.length;
      rest.push(...messages);
    }
    ready.clear();
    waiting = 0;
    return rest;
  }

  return { add, take, sent, settled, drain, messages: () => waiting };
}

/** A message without reads counts as one. */
function readsOf({ message: { content } }: Waiting): number {
  return content.kind === 'reads' ? Math.max(1, content.reads.length) : 1;
}
