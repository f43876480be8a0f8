export type Random = {
  /** A number from 0 up to, but not, 1. */
  (): number;
  /** An integer from 0 up to, but not, the bound. */
  below(bound: number): number;
};

/**
 * Random numbers, always the same ones for a seed (mulberry32). For long simulations on a database or a connection, in which each step
 * depends on the ones before: fast-check would repeat a whole simulation for each attempt to shrink it. Tests of pure functions use
 * fast-check.
 */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Object.assign(next, { below: (bound: number) => Math.floor(next() * bound) });
}
