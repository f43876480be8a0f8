import type { ReaderMessage } from './reader-message.js';

const minuteMs = 60_000;
/** Messages that each process keeps in a minute: whole, and in total. */
const readerMax = { whole: 100, kept: 1000 };
const organizationMax = { whole: 200, kept: 2000 };
const shortenedBytes = 1024;

/**
 * Limits how fast readers with a wrong format can fill the disk. Rejected messages are counted by minute, for each
 * reader and for all readers of an organization. The first messages of a minute are kept whole, the next ones
 * truncated, and the rest count as heartbeats.
 */
export function createRejectionBudget(now: () => number = Date.now) {
  let counts = { readers: newCounts(), organizations: newCounts() };
  let minute = 0;

  return function budgeted({ orgId, readerId, content }: Omit<ReaderMessage, 'topic'>): ReaderMessage['content'] {
    if (content.kind === 'rejected') {
      const { reason, payload } = content;
      const kept = keptOf({ orgId, readerId }, { reason, payload });
      return kept ? { kind: 'rejected', ...kept } : { kind: 'status' };
    }
    if (content.kind !== 'reads' || !content.loss) return content;
    const kept = keptOf({ orgId, readerId }, content.loss);
    return { kind: 'reads', reads: content.reads, ...(kept && { loss: kept }) };
  };

  /** Returns what is kept of a message and its reason; undefined if nothing is kept. */
  function keptOf<Rejected extends { payload: Uint8Array }>(
    { orgId, readerId }: Pick<ReaderMessage, 'orgId' | 'readerId'>,
    rejected: Rejected,
  ): Rejected | undefined {
    const present = Math.floor(now() / minuteMs);
    if (present !== minute) counts = { readers: newCounts(), organizations: newCounts() };
    minute = present;
    const reader = counts.readers(readerId);
    const organization = counts.organizations(orgId);
    if (reader.kept >= readerMax.kept || organization.kept >= organizationMax.kept) return undefined;
    reader.kept += 1;
    organization.kept += 1;
    if (reader.whole >= readerMax.whole || organization.whole >= organizationMax.whole) {
      return { ...rejected, payload: rejected.payload.subarray(0, shortenedBytes) };
    }
    reader.whole += 1;
    organization.whole += 1;
    return rejected;
  }
}

/** Returns a function that returns the counts of an id, from zero. */
function newCounts() {
  const counts = new Map<number, { whole: number; kept: number }>();
  return (id: number) => {
    const known = counts.get(id);
    if (known) return known;
    const fresh = { whole: 0, kept: 0 };
    counts.set(id, fresh);
    return fresh;
  };
}
