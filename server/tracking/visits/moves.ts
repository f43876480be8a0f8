import { z } from 'zod';
import { validationError } from '../../kernel/errors.js';
import { locationNotFound } from '../../things/locations/procedure.js';
import { locationExists } from '../../things/locations/queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, integerParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { keptInstant } from './instant.js';
import { listMoveRows, type MoveRow } from './move-queries.js';

/** Moves that are read for one page, whether they concern the location or not. */
const examinedMax = 5000;

/** A location that an asset came from or went to. */
type End = { id: number; name: string };

/** An asset that came to a location, or was read where no location is known. */
export type Move = {
  at: string;
  asset: { id: number; name: string; external_key: string };
  /** Null where the asset was at no known location before, or was never seen. */
  from: End | null;
  to: End | null;
};

/** A page of moves, oldest first. `next` is what to send as `after` for the next page; null at the end. */
export type MovePage = { data: Move[]; next: { at: string; asset_id: number } | null };

const input = z.strictObject({
  from: timestampParameter(),
  until: timestampParameter(),
  location_id: idParameter().exactOptional(),
  limit: integerParameter({ min: 1, max: 1000 }).default(500),
  after: z.strictObject({ at: timestampParameter(), asset_id: idParameter() }).exactOptional(),
});

/**
 * Lists the moves of assets with `from <= at < until`, oldest first; with a location, those into, out of and within it
 * and its sublocations. A page can be empty although there are more: it ends after 5,000 examined moves.
 *
 * @throws ContractError `validation_error` for a range that is empty or begins before the retention of visits
 */
export const listMovesInRange = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { from, until, location_id, limit, after } }): Promise<MovePage> => {
    const { db, settings } = ctx.services;
    if (until <= from) {
      throw validationError([{ field: 'until', code: 'invalid_value', message: 'until must be after from' }]);
    }
    const now = { nowMs: Date.now(), retentionDays: settings.eventRetentionDays };
    const fromMs = keptInstant(from, { field: 'from', ...now });
    const locationId = location_id ?? null;
    if (locationId !== null && !(await locationExists(db, ctx.orgId, locationId))) throw locationNotFound();
    const cursor = after && after.at >= fromMs ? { atMs: after.at, assetId: after.asset_id } : null;
    const examined = locationId === null ? limit : examinedMax;
    const request = { fromMs, untilMs: until, after: cursor, locationId, limit: examined };
    const rows = await listMoveRows(db, ctx.orgId, request);
    const wanted = rows.filter(({ is_wanted }) => is_wanted);
    const shown = wanted.slice(0, limit);
    const last = wanted.length > limit || rows.length < examined ? shown.at(-1) : rows.at(-1);
    const hasMore = wanted.length > limit || rows.length === examined;
    return {
      data: shown.map(move),
      next: hasMore && last ? { at: formatTimestamp(last.at), asset_id: last.asset_id } : null,
    };
  });

function move(row: MoveRow): Move {
  return {
    at: formatTimestamp(row.at),
    asset: { id: row.asset_id, name: row.name, external_key: row.external_key },
    from: row.from_id === null ? null : { id: row.from_id, name: row.from_name ?? '' },
    to: row.to_id === null ? null : { id: row.to_id, name: row.to_name ?? '' },
  };
}
