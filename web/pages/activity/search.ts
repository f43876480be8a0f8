import { entryPoints, kinds } from '../../activity/entry.js';
import { dayPart, oneOfPart, type Search, searchOf } from '../../ui/address-search.js';

const parts = {
  kind: oneOfPart(kinds),
  actor: (given: unknown) =>
    typeof given === 'string' && /^(?:user:\d{1,10}|key:[0-9a-f-]{36})$/.test(given) ? given : undefined,
  entry_point: oneOfPart(entryPoints),
  from: dayPart,
  to: dayPart,
};

/** Which changes are shown, as in the address. Days are in the viewer's time zone. */
export type ActivitySearch = Search<typeof parts>;

export function parseActivitySearch(given: Record<string, unknown>): ActivitySearch {
  return searchOf(parts, given);
}
