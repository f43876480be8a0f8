/** Where the time stands in a message; as long as every RFC 3339 time with milliseconds. */
const TIME_PLACE = '1970-01-01T00:00:00.000Z';
/** A time further ahead would be taken for a wrong clock. */
const AHEAD_MAX_MS = 4000;
const ANTENNAS = 4;

/** Payloads of the native format, one after another. */
export type Messages = {
  /**
   * The next payload, with the time given. It is valid until the next call only: what is sent of it has to be copied.
   *
   * @throws Error where the assets are so few that their reads, a millisecond apart, run ahead of the clock
   */
  next(nowMs: number): Buffer;
};

/**
 * Messages that read the tags in turn, so that each read is an event: no tag is read twice in one millisecond. All reads
 * of a message have its time. They are written once, and only their times change: making them costs next to nothing.
 */
export function createMessages(tags: readonly string[], readsPerMessage: number): Messages {
  const templates: { payload: Buffer; places: readonly number[]; lastMs: number }[] = [];
  // A message short of reads would read the first tags more often than the others.
  for (let first = 0; first + readsPerMessage <= tags.length; first += readsPerMessage) {
    const payload = Buffer.from(payloadOf(tags.slice(first, first + readsPerMessage)));
    templates.push({ payload, places: placesOf(payload), lastMs: 0 });
  }
  if (templates.length === 0) throw new Error('there are fewer assets than reads in a message');
  let turn = 0;
  return {
    next(nowMs) {
      const template = templates[turn] as (typeof templates)[number];
      turn = (turn + 1) % templates.length;
      template.lastMs = Math.max(Math.floor(nowMs), template.lastMs + 1);
      if (template.lastMs > nowMs + AHEAD_MAX_MS) throw new Error('too few assets for so many reads');
      const time = new Date(template.lastMs).toISOString();
      for (const place of template.places) template.payload.write(time, place, 'latin1');
      return template.payload;
    },
  };
}

function payloadOf(tags: readonly string[]): string {
  const reads = tags.map((value, no) => ({
    value,
    antenna: 1 + (no % ANTENNAS),
    rssi_dbm: -40 - (no % 30),
    observed_at: TIME_PLACE,
  }));
  return JSON.stringify({ reads });
}

function placesOf(payload: Buffer): number[] {
  const places: number[] = [];
  for (let place = payload.indexOf(TIME_PLACE); place !== -1; place = payload.indexOf(TIME_PLACE, place + 1)) {
    places.push(place);
  }
  return places;
}
