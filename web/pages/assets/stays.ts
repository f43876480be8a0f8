import type { Outputs } from '../../api/trpc.js';

type StayPage = Outputs['assets']['stays'];
type Stay = StayPage['data'][number];

/** The stays of pages that follow each other; one that a page cut in two is one again. */
export function mergedStays(pages: readonly StayPage[]): Stay[] {
  const merged: Stay[] = [];
  for (const stay of pages.flatMap(({ data }) => data)) {
    const later = merged.at(-1);
    if (later?.is_cut && later.location?.id === stay.location?.id) {
      merged[merged.length - 1] = {
        ...stay,
        ended_at: later.ended_at,
        last_seen_at: later.last_seen_at,
        event_count: later.event_count + stay.event_count,
      };
    } else merged.push(stay);
  }
  return merged;
}
