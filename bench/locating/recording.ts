/** Reads in the order of receipt, one array for each field. */
export type Recording = {
  count: number;
  asset: Uint16Array;
  tag: Uint16Array;
  antenna: Uint16Array;
  /** NaN where the reader reports none. */
  rssiDbm: Float32Array;
  /** When the tag was read, by a correct clock; deciders may not use it. */
  trueMs: Float64Array;
  /** By the reader's clock. */
  stampMs: Float64Array;
  receivedMs: Float64Array;
};

/** Collects reads in any order. */
export function createRecorder(originMs: number) {
  let capacity = 1 << 14;
  let count = 0;
  let asset = new Uint16Array(capacity);
  let tag = new Uint16Array(capacity);
  let antenna = new Uint16Array(capacity);
  let rssiDbm = new Float32Array(capacity);
  let trueMs = new Float64Array(capacity);

  function grow(): void {
    capacity *= 2;
    asset = copyInto(new Uint16Array(capacity), asset);
    tag = copyInto(new Uint16Array(capacity), tag);
    antenna = copyInto(new Uint16Array(capacity), antenna);
    rssiDbm = copyInto(new Float32Array(capacity), rssiDbm);
    trueMs = copyInto(new Float64Array(capacity), trueMs);
  }

  return {
    add(read: { asset: number; tag: number; antenna: number }, level: number, atMs: number): void {
      if (count === capacity) grow();
      asset[count] = read.asset;
      tag[count] = read.tag;
      antenna[count] = read.antenna;
      rssiDbm[count] = level;
      trueMs[count] = atMs;
      count += 1;
    },

    /**
     * Returns the reads in the order of receipt; reads received at the same time in the order of true time.
     *
     * @param deliver is called for each read in the order of true time; it returns when the server receives it
     * @param stamp returns the time by the reader's clock
     */
    deliver(
      deliver: (antenna: number, trueMs: number) => number,
      stamp: (antenna: number, trueMs: number) => number,
    ): Recording {
      const byTime = orderOf(trueMs, { count, originMs });
      const received = new Float64Array(count);
      for (const i of byTime) received[i] = deliver(antenna[i] ?? 0, trueMs[i] ?? 0);
      const order = orderOf(pick(received, byTime), { count, originMs }).map((position) => byTime[position] ?? 0);
      const stamps = new Float64Array(count);
      for (let i = 0; i < count; i += 1) stamps[i] = stamp(antenna[i] ?? 0, trueMs[i] ?? 0);
      return {
        count,
        asset: pick(asset, order),
        tag: pick(tag, order),
        antenna: pick(antenna, order),
        rssiDbm: pick(rssiDbm, order),
        trueMs: pick(trueMs, order),
        stampMs: pick(stamps, order),
        receivedMs: pick(received, order),
      };
    },
  };
}

type Numbers = Uint16Array | Float32Array | Float64Array;

function copyInto<Target extends Numbers>(target: Target, source: Numbers): Target {
  target.set(source);
  return target;
}

function pick<Values extends Numbers>(values: Values, order: Uint32Array): Values {
  const picked = values.slice(0, order.length) as Values;
  for (let i = 0; i < order.length; i += 1) picked[i] = values[order[i] ?? 0] ?? 0;
  return picked;
}

/**
 * Returns the positions of values in rising order. Each value and its position become one number, because sorting plain
 * numbers is ten times as fast as sorting with a comparison function: 2^31 ms are 24 days, 2^22 reads leave room.
 */
function orderOf(values: Float64Array, { count, originMs }: { count: number; originMs: number }): Uint32Array {
  const shift = 4_194_304;
  if (count > shift) throw new RangeError('a recording holds at most 4 million reads');
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i += 1) keys[i] = (Math.round(values[i] ?? 0) - originMs) * shift + i;
  keys.sort();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) {
    const key = keys[i] ?? 0;
    order[i] = key - Math.floor(key / shift) * shift;
  }
  return order;
}
