import fc from 'fast-check';

const ways = ['change', 'remove', 'double', 'insert', 'cut'] as const;

/** One way to corrupt bytes. `at` counts modulo their length. */
export type Mutation = {
  readonly way: (typeof ways)[number];
  readonly at: number;
  readonly count: number;
  readonly noise: Uint8Array;
};

/** A few mutations, for `mutate`. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    way: fc.constantFrom(...ways),
    at: fc.nat(),
    count: fc.integer({ min: 1, max: 9 }),
    noise: fc.uint8Array({ minLength: 1, maxLength: 9 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Returns a corrupted copy of bytes: some changed, removed, doubled, inserted, or the end cut off. */
export function mutate(bytes: Buffer, given: readonly Mutation[]): Buffer {
  let mutated = Buffer.from(bytes);
  for (const { way, at, count, noise } of given) {
    const begin = at % Math.max(1, mutated.length);
    const [before, after] = [mutated.subarray(0, begin), mutated.subarray(begin)];
    const outcomes = {
      change: () => [before, noise.subarray(0, 1), after.subarray(1)],
      remove: () => [before, after.subarray(count)],
      double: () => [before, after.subarray(0, count), after],
      insert: () => [before, noise, after],
      cut: () => [before],
    };
    mutated = Buffer.concat(outcomes[way]());
  }
  return mutated;
}
