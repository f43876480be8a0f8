import type { MessageContent } from './reader-message.js';

const minuteMs = 60_000;
/** Of one reader in a minute: kept whole, and kept at all. */
const wholePerMinuteMax = 100;
const keptPerMinuteMax = 1000;
const shortenedBytes = 1024;

/**
 * Bounds what a reader with a wrong format can fill the disk with: of the messages that it has rejected in a minute the
 * first are kept whole, the next shortened, and the rest count as signs of life.
 */
export function createRejectionBudget(now: () => number = Date.now) {
  const counts = new Map<number, number>();
  let minute = 0;

  return function budgeted(readerId: number, content: MessageContent): MessageContent {
    if (content.kind !== 'rejected') return content;
    const present = Math.floor(now() / minuteMs);
    if (present !== minute) counts.clear();
    minute = present;
    const count = (counts.get(readerId) ?? 0) + 1;
    counts.set(readerId, count);
    if (count <= wholePerMinuteMax) return content;
    if (count > keptPerMinuteMax) return { kind: 'status' };
    return { ...content, payload: content.payload.subarray(0, shortenedBytes) };
  };
}
