import type { Database } from '../database/client.js';
import { countOpen } from './queries.js';

/** Open alerts, counted up to 999; `is_more` where there are more. */
export type OpenCount = { count: number; is_more: boolean };

const shownMax = 999;

/** Counts an organization's open alerts. Reads an index alone, so it can be asked often. */
export async function readOpenCount(db: Pick<Database, '$queryRaw'>, orgId: number): Promise<OpenCount> {
  const count = await countOpen(db, orgId, shownMax + 1);
  return { count: Math.min(count, shownMax), is_more: count > shownMax };
}
