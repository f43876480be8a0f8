import { createMessages, createMessagesOf, type Messages, type SentRead } from './messages.js';

/**
 * Which reader receives which tags. `shares`: each reader has tags of its own. `overlapping`: all readers receive all
 * tags, so two readers can read a tag in the same millisecond, which is one event. `site` and `bluetooth`: each tag is
 * received by some readers around it, and one in a hundred tags moves.
 */
export type SceneName = 'shares' | 'overlapping' | 'site' | 'bluetooth';

type Site = {
  readonly readers: number;
  readonly tags: number;
  /** How many readers receive a tag: this many, or this many and one more, in turn. */
  readonly receivers: readonly [number, number];
  /** How often each of these readers reads the tag a second. */
  readonly readsPerSecond: number;
  readonly readsPerMessage: number;
};

/** Shelves of parked tags. */
const site: Site = { readers: 20, tags: 4000, receivers: [2, 3], readsPerSecond: 1, readsPerMessage: 50 };
/** Each beacon is received twice a second by ten gateways. */
const bluetooth: Site = { readers: 50, tags: 500, receivers: [10, 10], readsPerSecond: 2, readsPerMessage: 20 };

export const sites = { site, bluetooth } as const;

const movingShare = 0.01;
/** A moving tag is at one location for half of the rounds, and then at another one. */
const rounds = 20;
/** The level at the nearest reader, and how much weaker each further reader receives the tag. */
const nearestDbm = -50;
const furtherDb = 8;

/** Returns how many reads all readers of a site send a second. */
export function siteReadsPerSecond({ tags, receivers: [some, others], readsPerSecond }: Site): number {
  return (tags * readsPerSecond * (some + others)) / 2;
}

/** Returns the messages of each reader, in the order of the readers. */
export function messagesOfScene(
  scene: SceneName,
  tags: readonly string[],
  { readers, readsPerMessage }: { readers: number; readsPerMessage: number },
): Messages[] {
  if (scene === 'site' || scene === 'bluetooth') return siteMessages(sites[scene], tags);
  const numbers = Array.from({ length: readers }, (_, index) => index);
  if (scene === 'overlapping') {
    // Each reader begins at another tag, so that few readers read a tag in the same millisecond.
    return numbers.map((index) => {
      const first = Math.floor((tags.length * index) / readers);
      return createMessages([...tags.slice(first), ...tags.slice(0, first)], readsPerMessage);
    });
  }
  const share = Math.floor(tags.length / readers);
  return numbers.map((index) => createMessages(tags.slice(index * share, (index + 1) * share), readsPerMessage));
}

function siteMessages(site: Site, tags: readonly string[]): Messages[] {
  const { readers, receivers, readsPerMessage } = site;
  const reads = Array.from({ length: readers }, () => [] as SentRead[]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [no, value] of tags.slice(0, site.tags).entries()) {
      const isElsewhere = no % Math.round(1 / movingShare) === 0 && round >= rounds / 2;
      const nearest = no + (isElsewhere ? readers / 2 : 0);
      for (let further = 0; further < (receivers[no % 2] ?? 0); further += 1) {
        // Neighbors on both sides receive a tag, one after the other.
        const offset = further % 2 === 0 ? further / 2 : -(further + 1) / 2;
        const rssiDbm = nearestDbm - furtherDb * Math.abs(offset) - ((no + round) % 4);
        reads[(nearest + offset + readers) % readers]?.push({ value, antenna: 1, rssiDbm });
      }
    }
  }
  return reads.map((ofReader) => createMessagesOf(ofReader, readsPerMessage));
}
