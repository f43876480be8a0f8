/** A placeholder of the time in a message, with the length of every RFC 3339 time with milliseconds. */
const timePlaceholder = '1970-01-01T00:00:00.000Z';
/** A time further ahead would count as a wrong clock. */
const aheadMaxMs = 4000;
const antennas = 4;

/** Payloads of the native format, one after another. */
export type Messages = {
  /**
   * Returns the next payload, with the given time. It is valid only until the next call, so it has to be copied.
   *
   * @throws Error if there are so few assets that their reads, a millisecond apart, run ahead of the clock
   */
  next(nowMs: number): Buffer;
};

/**
 * Creates messages that read the tags round-robin, so that each read is an event: no tag is read twice in one
 * millisecond. All reads of a message have its time. The payloads are written once, and only their times change, so
 * they cost almost nothing.
 */
export function createMessages(tags: readonly string[], readsPerMessage: number): Messages {
  const reads = tags.map((value, no) => ({ value, antenna: 1 + (no % antennas), rssiDbm: -40 - (no % 30) }));
  return createMessagesOf(reads, readsPerMessage);
}

/** A read of a message, which has the time of its message. */
export type SentRead = { readonly value: string; readonly antenna: number; readonly rssiDbm: number };

/** Does the same for reads with their antennas and levels. */
export function createMessagesOf(reads: readonly SentRead[], readsPerMessage: number): Messages {
  const templates: { payload: Buffer; offsets: readonly number[]; lastMs: number }[] = [];
  // A message with fewer reads would read the first tags more often than the others.
  for (let first = 0; first + readsPerMessage <= reads.length; first += readsPerMessage) {
    const payload = Buffer.from(payloadOf(reads.slice(first, first + readsPerMessage)));
    templates.push({ payload, offsets: offsetsOf(payload), lastMs: 0 });
  }
  if (templates.length === 0) throw new Error('there are fewer reads than a message has');
  let turn = 0;
  return {
    next(nowMs) {
      const template = templates[turn] as (typeof templates)[number];
      turn = (turn + 1) % templates.length;
      template.lastMs = Math.max(Math.floor(nowMs), template.lastMs + 1);
      if (template.lastMs > nowMs + aheadMaxMs) throw new Error('too few assets for so many reads');
      const time = new Date(template.lastMs).toISOString();
      for (const offset of template.offsets) template.payload.write(time, offset, 'latin1');
      return template.payload;
    },
  };
}

function payloadOf(reads: readonly SentRead[]): string {
  return JSON.stringify({
    reads: reads.map(({ value, antenna, rssiDbm }) => ({
      value,
      antenna,
      rssi_dbm: rssiDbm,
      observed_at: timePlaceholder,
    })),
  });
}

function offsetsOf(payload: Buffer): number[] {
  const offsets: number[] = [];
  for (
    let offset = payload.indexOf(timePlaceholder);
    offset !== -1;
    offset = payload.indexOf(timePlaceholder, offset + 1)
  ) {
    offsets.push(offset);
  }
  return offsets;
}
