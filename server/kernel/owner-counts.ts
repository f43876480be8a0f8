/** Counts a limited resource, such as connections, bytes or requests, for each owner. */
export type OwnerCounts<Owner> = {
  /** Returns the amount of an owner, 0 if it has none. */
  of(owner: Owner): number;
  /** Adds to the amount of an owner, and returns the sum; a negative amount is released. */
  add(owner: Owner, amount: number): number;
  total(): number;
};

/** Creates counts. An owner without an amount needs no memory. */
export function createOwnerCounts<Owner extends number | string>(): OwnerCounts<Owner> {
  const amounts = new Map<Owner, number>();
  let total = 0;
  const of = (owner: Owner) => amounts.get(owner) ?? 0;
  return {
    of,
    add(owner, amount) {
      const own = Math.max(0, of(owner) + amount);
      total += own - of(owner);
      if (own > 0) amounts.set(owner, own);
      else amounts.delete(owner);
      return own;
    },
    total: () => total,
  };
}
