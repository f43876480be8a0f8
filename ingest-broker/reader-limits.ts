/** The reader that something is counted for, and its organization. */
export type Owner = { readerId: number; orgId: number };

/** Limits an amount, such as bytes, for each reader and for each organization. */
export type ReaderLimits = {
  /** Returns whether the reader and its organization may have so much more. */
  mayAdd(owner: Owner, amount: number): boolean;
  /** Counts an amount, within the limits or not; a negative one is released. */
  add(owner: Owner, amount: number): void;
};

/** Creates counters, which need memory only for readers and organizations with an amount. */
export function createReaderLimits({
  readerMax,
  organizationMax,
}: {
  readerMax: number;
  organizationMax: number;
}): ReaderLimits {
  const readers = new Map<number, number>();
  const organizations = new Map<number, number>();

  return {
    mayAdd: ({ readerId, orgId }, amount) =>
      (readers.get(readerId) ?? 0) + amount <= readerMax && (organizations.get(orgId) ?? 0) + amount <= organizationMax,
    add({ readerId, orgId }, amount) {
      count(readers, readerId, amount);
      count(organizations, orgId, amount);
    },
  };
}

function count(amounts: Map<number, number>, id: number, amount: number): void {
  const next = (amounts.get(id) ?? 0) + amount;
  if (next > 0) amounts.set(id, next);
  else amounts.delete(id);
}
