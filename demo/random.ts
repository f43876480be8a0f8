/** Random numbers that are the same for the same seed, on every machine. */
export type Random = {
  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number;
  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  /** Returns a normally distributed number. */
  normal(mean: number, deviation: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns upper-case hexadecimal digits. */
  hex(digits: number): string;
};

const uint32 = 2 ** 32;

/**
 * Creates a random number generator. Each purpose has a stream of its own, so that more draws for one purpose do not change
 * the numbers of another. A purpose that is renamed gets other numbers.
 *
 * @param seed a whole number; its lowest 32 bits count
 */
export function createRandom(seed: number, purpose: string): Random {
  const next = sfc32(seed >>> 0, hashOf(purpose));

  const fraction = () => next() / uint32;
  const between = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));

  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    normal(mean, deviation) {
      // Box and Muller; the first fraction must not be 0, whose logarithm is infinite.
      const radius = Math.sqrt(-2 * Math.log(1 - fraction()));
      return mean + deviation * radius * Math.cos(2 * Math.PI * fraction());
    },
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('there are no items to pick from');
      return item;
    },
    hex: (digits) =>
      Array.from({ length: digits }, () => between(0, 15).toString(16))
        .join('')
        .toUpperCase(),
  };
}

/** Chris Doty-Humphrey's small fast counting generator: 128 bits of state, uniform over 32 bits. */
function sfc32(seed: number, purpose: number): () => number {
  let a = seed;
  let b = purpose;
  let c = 0;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  // The first values of similar seeds are still similar.
  for (let i = 0; i < 16; i += 1) next();
  return next;
}

/** FNV-1a over the characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
