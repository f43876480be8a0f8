/** A stream of pseudo-random numbers that is the same for the same seed on every machine. */
export type Random = {
  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number;
  /** Returns a number from `min` up to, but not including, `max`. */
  uniform(min: number, max: number): number;
  /** Returns a normally distributed number. */
  normal(mean: number, deviation: number): number;
};

/**
 * Creates a stream of pseudo-random numbers. Streams of different names are independent, so drawing more numbers from one
 * leaves the others unchanged.
 *
 * @param seed a whole number; only its lowest 32 bits count
 */
export function createRandom(seed: number, stream: string): Random {
  let state = Math.imul(seed | 0, 0x9e3779b1);
  for (let i = 0; i < stream.length; i += 1) state = mix(state ^ stream.charCodeAt(i));
  let spare = Number.NaN;

  function fraction(): number {
    state = (state + 0x9e3779b9) | 0;
    return (mix(state) >>> 0) / 4_294_967_296;
  }

  /** Marsaglia's polar method; it yields two numbers at a time. */
  function standardNormal(): number {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const x = 2 * fraction() - 1;
      const y = 2 * fraction() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * factor;
      return x * factor;
    }
  }

  return {
    fraction,
    uniform: (min, max) => min + fraction() * (max - min),
    normal: (mean, deviation) => mean + deviation * standardNormal(),
  };
}

/** Mixes the bits of a 32-bit integer: each bit of the input changes about half of the output bits. */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x21f0aaad);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x735a2d97);
  return bits ^ (bits >>> 15);
}
