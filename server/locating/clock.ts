/** Messages agree if their differences between receipt and time stamp are within this range. */
const clockAgreementMs = 3000;

/** A smaller change of the offset is ignored, so that a message delivered twice gets the same time. */
const clockHysteresisMs = 1000;

/**
 * How long and how many messages must agree before an offset is adopted: longer than the delivery of reads after an
 * outage takes.
 */
const clockSpanMs = 60_000;
const clockMessagesMin = 5;

/** The same for time stamps ahead of their receipt, which no delay explains. */
const clockAheadSpanMs = 2000;
const clockAheadMessagesMin = 3;

/** The estimated error of a reader's clock. Plain data. */
export type Clock = {
  /** Added to the reader's time stamps, in whole milliseconds. */
  offsetMs: number;
  /** The messages that agree on an offset: how many, since when, and the newest time stamp among them. */
  messages: number;
  firstReceivedMs: number;
  lastStampMs: number;
  /** The smallest and the largest difference between receipt and time stamp among them. */
  leastMs: number;
  greatestMs: number;
};

/** A message of a reader: its own time stamp and the time of its receipt, in epoch milliseconds. */
export type ClockSample = { stampMs: number; receivedMs: number };

/** Creates the clock of a new reader, whose time stamps are used unchanged, or restores one from a stored offset. */
export function createClock(offsetMs = 0): Clock {
  const offset = Math.round(offsetMs);
  return { offsetMs: offset, messages: 0, firstReceivedMs: 0, lastStampMs: 0, leastMs: 0, greatestMs: 0 };
}

/**
 * Learns the offset of a reader's clock from one more message; `stampMs` is the newest time stamp in it.
 *
 * The offset changes only when messages agree on another one for a minute, or for a shorter time if they are stamped
 * ahead of their receipt. Reads that a reader sends after an outage advance faster than the clock and are never
 * learned.
 */
export function observeClock(clock: Clock, { stampMs, receivedMs }: ClockSample): Clock {
  if (!Number.isFinite(stampMs) || !Number.isFinite(receivedMs)) return clock;
  const differenceMs = receivedMs - stampMs;
  const leastMs = Math.min(clock.leastMs, differenceMs);
  const greatestMs = Math.max(clock.greatestMs, differenceMs);
  const agrees = clock.messages > 0 && greatestMs - leastMs <= clockAgreementMs && receivedMs >= clock.firstReceivedMs;
  if (!agrees) {
    const only = { messages: 1, firstReceivedMs: receivedMs, lastStampMs: stampMs };
    return { ...clock, ...only, leastMs: differenceMs, greatestMs: differenceMs };
  }
  // A time stamp that was seen before says nothing about how they advance.
  const advances = stampMs > clock.lastStampMs;
  const messages = clock.messages + (advances ? 1 : 0);
  const lastStampMs = Math.max(stampMs, clock.lastStampMs);
  return adopt({ ...clock, messages, lastStampMs, leastMs, greatestMs }, receivedMs - clock.firstReceivedMs);
}

/** Changes the offset once enough messages agree on another one. */
function adopt(clock: Clock, spanMs: number): Clock {
  const isEnough = spanMs >= clockSpanMs && clock.messages >= clockMessagesMin;
  const isAhead = clock.leastMs < clock.offsetMs - clockHysteresisMs;
  const isEnoughAhead = isAhead && spanMs >= clockAheadSpanMs && clock.messages >= clockAheadMessagesMin;
  if (!isEnough && !isEnoughAhead) return clock;
  const isOff = Math.abs(clock.leastMs - clock.offsetMs) > clockHysteresisMs;
  // The next messages are compared only with each other, so that a slow drift is followed.
  return createClock(isOff ? clock.leastMs : clock.offsetMs);
}

/** Times of reads that are further ahead of their receipt than this are not trusted. */
const aheadMaxMs = 5000;

/**
 * Returns the effective time of a read: its time stamp corrected by the offset, or its receipt without a time stamp or
 * with one too far ahead. Times slightly ahead are kept: set to the time of receipt, several reads would become one.
 */
export function effectiveMs(
  { offsetMs }: Pick<Clock, 'offsetMs'>,
  { stampMs, receivedMs }: { stampMs: number | null; receivedMs: number },
): number {
  if (stampMs === null) return receivedMs;
  const atMs = stampMs + offsetMs;
  return atMs > receivedMs + aheadMaxMs ? receivedMs : atMs;
}
