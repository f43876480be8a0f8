import { createOwnerCounts } from '../server/index.js';

/** The reader that something is counted for, and its organization. */
export type Owner = { readerId: number; orgId: number };

/** Limits an amount, such as bytes, for each reader and for each organization. */
export type ReaderLimits = {
  /** Returns whether the reader and its organization may have this much more. */
  mayAdd(owner: Owner, amount: number): boolean;
  /** Counts an amount, even beyond the limits; a negative amount is released. */
  add(owner: Owner, amount: number): void;
};

export function createReaderLimits({
  readerMax,
  organizationMax,
}: {
  readerMax: number;
  organizationMax: number;
}): ReaderLimits {
  const readers = createOwnerCounts<number>();
  const organizations = createOwnerCounts<number>();

  return {
    mayAdd: ({ readerId, orgId }, amount) =>
      readers.of(readerId) + amount <= readerMax && organizations.of(orgId) + amount <= organizationMax,
    add({ readerId, orgId }, amount) {
      readers.add(readerId, amount);
      organizations.add(orgId, amount);
    },
  };
}
