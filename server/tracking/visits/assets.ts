import { z } from 'zod';
import { type ListOf, pageOf, pagingFields } from '../../kernel/lists.js';
import { locationNotFound } from '../../things/locations/procedure.js';
import { locationExists } from '../../things/locations/queries.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { booleanParameter, idParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { listPresentRows, type PresentRow } from './asset-queries.js';
import { keptInstant } from './instant.js';

/** An asset that was at a location at an instant, with its visit then. */
export type PresentAsset = {
  id: number;
  external_key: string;
  name: string;
  /** Whether the asset has been deleted since. */
  is_deleted: boolean;
  location: { id: number; name: string; external_key: string };
  arrived_at: string;
  /** Null while the visit lasts. */
  left_at: string | null;
};

const input = z.strictObject({
  at: timestampParameter(),
  location_id: idParameter().exactOptional(),
  including_sublocations: booleanParameter().default(true),
  q: filterFields.q,
  ...pagingFields,
});

/**
 * Lists the assets that were at a location at an instant, by name, from visits; without a location those that were at any. An
 * instant in the future is the present.
 */
export const listPresentAssets = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { at, location_id, including_sublocations, q, ...paging } }) => {
    const { db, settings } = ctx.services;
    const atMs = keptInstant(at, { field: 'at', nowMs: Date.now(), retentionDays: settings.eventRetentionDays });
    const locationId = location_id ?? null;
    if (locationId !== null && !(await locationExists(db, ctx.orgId, locationId))) throw locationNotFound();
    const request = { locationId, atMs, includingSublocations: including_sublocations, q, paging };
    const page: ListOf<PresentAsset> = pageOf(await listPresentRows(db, ctx.orgId, request), paging, present);
    return { at: formatTimestamp(atMs), ...page };
  });

function present(row: PresentRow): PresentAsset {
  return {
    id: row.id,
    external_key: row.external_key,
    name: row.name,
    is_deleted: row.is_deleted,
    location: { id: row.location_id, name: row.location_name, external_key: row.location_external_key },
    arrived_at: formatTimestamp(row.arrived_at),
    left_at: formatNullableTimestamp(row.left_at),
  };
}
