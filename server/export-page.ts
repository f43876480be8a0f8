import { z } from 'zod';
import { idField } from './validation/fields.js';
import { integerParameter, textParameter } from './validation/parameters.js';

const idsMax = 1000;

/**
 * The parameters of every export page: chosen rows by id, if any, the key after which to continue, and the number of
 * rows.
 */
export const exportPageFields = {
  ids: z.array(idField('required')).max(idsMax).exactOptional(),
  after: textParameter({ min: 0, max: 255 }).default(''),
  limit: integerParameter({ min: 1, max: 1000 }).default(500),
};

/** Returns a page of an export; `next` continues it, null at the end. */
export function exportPageOf<Row extends { external_key: string }>(
  data: Row[],
  limit: number,
): { data: Row[]; next: string | null } {
  return { data, next: data.length === limit ? (data.at(-1)?.external_key ?? null) : null };
}
