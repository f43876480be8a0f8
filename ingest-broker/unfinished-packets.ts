/** Memory limits for the unfinished packets of a reader, of an organization, and of all unauthenticated connections. */
const readerBytesMax = 1024 * 1024;
const organizationBytesMax = 4 * 1024 * 1024;
const unauthenticatedBytesMax = 4 * 1024 * 1024;
/** A connection whose unfinished packet takes at most this is always read. Most packets are shorter. */
const freeBytes = 4096;

/** The unfinished packet of one connection. */
export type UnfinishedPacket = {
  /** From now on counts it among the packets of a reader and its organization. */
  join(reader: { readerId: number; orgId: number }): void;
  /** Returns whether the connection may be read; if not, `goOn` is called when it may. */
  mayGrow(): boolean;
  /** @param bytes its present memory; 0 if the packet is finished */
  note(bytes: number): void;
  /** Call this when the connection has ended. */
  leave(): void;
};

type Member = { bytes: number; readonly goOn: () => void };

type Budget = {
  readonly bytesMax: number;
  bytes: number;
  connections: number;
  /** Connections with more than the free bytes, in the order in which they exceeded them. */
  readonly large: Set<Member>;
  readonly waiting: Set<Member>;
  isWaking: boolean;
  /** Whether waiting connections have to be looked at again. */
  isDue: boolean;
};

/**
 * Limits the memory of packets that have begun to arrive. While the unfinished packets of a reader or an organization
 * exceed their limit, only the long packet that began first is read on. So packets are finished one after another, and
 * nothing is lost.
 */
export function createUnfinishedPackets() {
  const readers = new Map<number, Budget>();
  const organizations = new Map<number, Budget>();
  const unauthenticated = newBudget(unauthenticatedBytesMax);

  function connect(goOn: () => void): UnfinishedPacket {
    const member: Member = { bytes: 0, goOn };
    let budgets: readonly Budget[] = [unauthenticated];
    let forget = () => {};

    function note(bytes: number): void {
      const change = bytes - member.bytes;
      if (change === 0) return;
      member.bytes = bytes;
      for (const budget of budgets) {
        budget.bytes += change;
        if (bytes > freeBytes) budget.large.add(member);
        else budget.large.delete(member);
      }
      if (change < 0) for (const budget of budgets) wake(budget);
    }

    const mayGrow = () =>
      member.bytes <= freeBytes || budgets.every((budget) => budget.bytes < budget.bytesMax || isFirst(member, budget));

    return {
      join({ readerId, orgId }) {
        note(0);
        budgets = [budgetOf(readers, readerId, readerBytesMax), budgetOf(organizations, orgId, organizationBytesMax)];
        for (const budget of budgets) budget.connections += 1;
        forget = () => {
          for (const budget of budgets) budget.connections -= 1;
          if (readers.get(readerId)?.connections === 0) readers.delete(readerId);
          if (organizations.get(orgId)?.connections === 0) organizations.delete(orgId);
        };
      },
      mayGrow() {
        const may = mayGrow();
        for (const budget of budgets) {
          if (may) budget.waiting.delete(member);
          else budget.waiting.add(member);
        }
        return may;
      },
      note,
      leave() {
        for (const budget of budgets) budget.waiting.delete(member);
        note(0);
        forget();
        forget = () => {};
      },
    };
  }

  return { connect };
}

/**
 * Lets waiting connections go on while the budget allows it. A connection that another budget does not allow to go on
 * waits again.
 */
function wake(budget: Budget): void {
  budget.isDue = true;
  if (budget.isWaking) return;
  budget.isWaking = true;
  // If a packet is finished meanwhile, other connections need not wait any longer.
  while (budget.isDue) {
    budget.isDue = false;
    const [first] = budget.large;
    if (first && budget.waiting.has(first)) goOnNow(first, budget);
    for (const member of Array.from(budget.waiting)) {
      if (budget.bytes >= budget.bytesMax) break;
      goOnNow(member, budget);
    }
  }
  budget.isWaking = false;
}

function goOnNow(member: Member, budget: Budget): void {
  // It may have been read on meanwhile, since another budget allowed it.
  if (budget.waiting.delete(member)) member.goOn();
}

function isFirst(member: Member, { large }: Budget): boolean {
  const [first] = large;
  return first === member;
}

function budgetOf(budgets: Map<number, Budget>, id: number, bytesMax: number): Budget {
  const budget = budgets.get(id) ?? newBudget(bytesMax);
  budgets.set(id, budget);
  return budget;
}

function newBudget(bytesMax: number): Budget {
  return { bytesMax, bytes: 0, connections: 0, large: new Set(), waiting: new Set(), isWaking: false, isDue: false };
}

export type UnfinishedPackets = ReturnType<typeof createUnfinishedPackets>;
