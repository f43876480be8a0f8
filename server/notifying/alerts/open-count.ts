import type { Queries } from '../../kernel/database/client.js';
import { countOpen } from './queries.js';

/** The number of open alerts, up to 999; `is_more` says that there are more. */
export type OpenCount = { count: number; is_more: boolean };

const shownMax = 999;

/** Counts an organization's open alerts. Reads only an index, so it can be called often. */
export async function readOpenCount(db: Queries, orgId: number): Promise<OpenCount> {
  const count = await countOpen(db, orgId, shownMax + 1);
  return { count: Math.min(count, shownMax), is_more: count > shownMax };
}
