/** Corrupts bytes: some changed, removed, doubled, inserted, or the end cut off. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  const within = (length: number) => Math.floor(random() * length);
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => within(256)));
  let mutated = Buffer.from(bytes);
  for (let left = 1 + within(4); left > 0; left -= 1) {
    const at = within(mutated.length);
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)];
    const ways = [
      () => Buffer.concat([before, noise(1), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(1 + within(5))]),
      () => Buffer.concat([before, after.subarray(0, 1 + within(9)), after]),
      () => Buffer.concat([before, noise(1 + within(9)), after]),
      () => before,
    ];
    mutated = ways[within(ways.length)]?.() ?? mutated;
    if (mutated.length === 0) return noise(3);
  }
  return mutated;
}
