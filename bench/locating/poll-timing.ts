/** How often an antenna polls a tag: at one interval for the first part of a visit, and at another later. */
export type Intervals = { firstMs: number; firstIntervalMs: number; laterIntervalMs: number };

/** An instant of a visit, and a later one. */
export type Span = { startMs: number; fromMs: number; untilMs: number };

/** Returns how many polls of a tag are expected within a span of the visit that began at `startMs`. */
export function pollsWithin({ firstMs, firstIntervalMs, laterIntervalMs }: Intervals, span: Span): number {
  const { fromMs, untilMs } = span;
  const changeMs = span.startMs + firstMs;
  if (fromMs >= changeMs) return (untilMs - fromMs) / laterIntervalMs;
  if (untilMs <= changeMs) return (untilMs - fromMs) / firstIntervalMs;
  // The last of the first polls is followed by one at a random time within the later interval.
  return Math.floor((changeMs - fromMs) / firstIntervalMs) + (untilMs - changeMs) / laterIntervalMs;
}

/** Returns the instant at which so many polls are expected since `fromMs`; the inverse of `pollsWithin`. */
export function timeOfPoll(
  { firstMs, firstIntervalMs, laterIntervalMs }: Intervals,
  { startMs, fromMs }: { startMs: number; fromMs: number },
  polls: number,
): number {
  const changeMs = startMs + firstMs;
  if (fromMs >= changeMs) return fromMs + polls * laterIntervalMs;
  const firstPolls = (changeMs - fromMs) / firstIntervalMs;
  if (polls <= firstPolls) return fromMs + polls * firstIntervalMs;
  return changeMs + (polls - Math.floor(firstPolls)) * laterIntervalMs;
}
