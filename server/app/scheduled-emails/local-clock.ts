/** Time zones change their offset from UTC at whole quarters of an hour. */
const stretchMs = 15 * 60_000;

export type LocalClock = {
  /** Returns an instant as a date whose UTC fields are the local time. */
  at(timestamp: string): Date;
};

/** Returns a clock of a time zone, which asks for each offset once: finding an offset takes microseconds. */
export function localClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsets = new Map<number, number>();
  const offsetMs = (atMs: number): number => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const local = new Date(0);
    local.setUTCFullYear(part('year'), part('month') - 1, part('day'));
    local.setUTCHours(part('hour'), part('minute'), part('second'));
    return local.getTime() - atMs;
  };
  return {
    at(timestamp) {
      const ms = Date.parse(timestamp);
      const stretch = Math.floor(ms / stretchMs);
      const offset = offsets.get(stretch) ?? offsetMs(stretch * stretchMs);
      offsets.set(stretch, offset);
      return new Date(ms + offset);
    },
  };
}
