import type { ReceivedMessage } from './batch.js';

/** A message that waits to be stored, with the functions that settle it. */
export type Waiting = ReceivedMessage & {
  resolve(): void;
  reject(error: Error): void;
  /** Whether the database has its whole batch, though the batch may not be committed yet. */
  isSent?: boolean;
};

/** Reads that one reader may add to a batch before the next reader's turn. */
const turnReads = 50;
/** The most reads of a batch, plus the rest of the last turn. */
const batchReadsMax = 4000;
/** A batch takes further organizations only below this, so that large organizations are stored in parallel. */
const smallBatchReads = 500;
/** The reads with which a batch begins while the one before it is committed: with fewer, a larger batch later takes less work. */
const earlyBatchReads = 500;

type Organization = {
  id: number;
  /** The messages that wait, by reader; the reader that has waited longest for its turn first. */
  readers: Map<number, Waiting[]>;
  /** The reads that wait. */
  reads: number;
  /** Messages in batches, and how many of them the database does not have yet. With any such message the others wait. */
  inWork: number;
  unsent: number;
};

/**
 * Creates the queues of messages that wait, by organization and reader. The batches of an organization follow each other: the
 * next one begins when the one before is settled, or, if enough waits, when the database has everything of it; it then waits there
 * for the assets that both contain.
 * Organizations take turns, and within each the readers, so nobody waits behind another's backlog.
 */
export function createMessageQueues() {
  const organizations = new Map<number, Organization>();
  /** Organizations whose next batch can begin, longest without a batch first. */
  const ready = new Set<Organization>();
  let waiting = 0;

  function organizationOf(id: number): Organization {
    let organization = organizations.get(id);
    if (!organization) {
      organization = { id, readers: new Map(), reads: 0, inWork: 0, unsent: 0 };
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
    readers.delete(readerId);
    if (messages.length > 0) readers.set(readerId, messages);
    return reads;
  }

  /**
   * Takes all that waits of the next organization, at most 4,000 reads. Small organizations share a batch, since each
   * batch has a fixed cost. No further batch contains an organization until all its messages were sent or settled.
   */
  function take(): Waiting[] {
    const batch: Waiting[] = [];
    let reads = 0;
    for (const organization of ready) {
      if (reads >= smallBatchReads) break;
      ready.delete(organization);
      const before = batch.length;
      while (organization.readers.size > 0 && reads < batchReadsMax) reads += takeTurn(organization, batch);
      organization.unsent = batch.length - before;
      organization.inWork += organization.unsent;
    }
    waiting -= batch.length;
    return batch;
  }

  /** Lets the next batch of the organizations begin once all their messages were sent. */
  function sent(messages: readonly Waiting[]): void {
    for (const waiting of messages) {
      if (waiting.isSent) continue;
      waiting.isSent = true;
      const organization = organizationOf(waiting.message.orgId);
      organization.unsent -= 1;
      addIfReady(organization);
    }
  }

  /** Ends the work on messages that were stored or rejected. */
  function settled(messages: readonly Waiting[]): void {
    sent(messages);
    for (const { message } of messages) {
      const organization = organizationOf(message.orgId);
      organization.inWork -= 1;
      if (organization.inWork > 0 || organization.readers.size > 0) addIfReady(organization);
      else organizations.delete(organization.id);
    }
  }

  /** Takes everything that waits, also of organizations with a batch in work. */
  function drain(): Waiting[] {
    const rest: Waiting[] = [];
    for (const organization of organizations.values()) {
      const messages = [...organization.readers.values()].flat();
      organization.readers.clear();
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
