import type { Message } from './decider.js';

const spanMs = 60_000;

/** Creates an estimate of each reader's clock: its offset is the offset of the quickest message of the last minute. */
export function createQuickestClock() {
  const recent = new Map<number, { receivedMs: number; differenceMs: number }[]>();
  return {
    observe({ reader, stampMs, receivedMs }: Message): void {
      const kept = (recent.get(reader) ?? []).filter((message) => message.receivedMs >= receivedMs - spanMs);
      recent.set(reader, [...kept, { receivedMs, differenceMs: receivedMs - stampMs }]);
    },
    /** Returns what has to be added to the reader's time stamps; 0 before its first message. */
    offsetMs(reader: number): number {
      const messages = recent.get(reader) ?? [];
      return messages.length === 0 ? 0 : Math.min(...messages.map(({ differenceMs }) => differenceMs));
    },
  };
}
