import { z } from 'zod';
import { type EntryActor, viewActor } from '../../people/activity/view.js';
import { pageSizeDefault } from '../../kernel/lists.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { integerParameter, textParameter } from '../../kernel/validation/parameters.js';
import { type DeletedRow, findDeleted, type TrashCursor } from './list-queries.js';
import { namesOf, restoreAssets, restoreLocations, type RestoreResult } from './restore.js';

const pageMax = 100;

/** Items that one call restores. Equals the number that one call deletes. */
export const restoredMax = 100;

const cursorRule = {
  min: 5,
  max: 40,
  pattern: /^[0-9]{1,15}\.(?:asset|location)\.[0-9]{1,10}$/,
  words: 'the cursor of a page',
} as const;

/** A deleted asset or location. */
export type DeletedItem = Pick<DeletedRow, 'kind' | 'id' | 'external_key' | 'name' | 'entry_point'> & {
  deleted_at: string;
  /** Null if the author of the deletion is not known. */
  actor: EntryActor | null;
};

/** Lists the assets and locations that were deleted in the last 30 days, the latest first. `next` is null on the last page. */
export const listTrash = sessionProcedure('manager')
  .input(
    z
      .strictObject({
        limit: integerParameter({ min: 1, max: pageMax }).default(pageSizeDefault),
        /** The `next` of the previous page. */
        cursor: textParameter(cursorRule).exactOptional(),
      })
      .prefault({}),
  )
  .query(async ({ ctx, input: { limit, cursor } }): Promise<{ data: DeletedItem[]; next: string | null }> => {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const rows = await findDeleted(ctx.services.db, ctx.orgId, { before, limit });
    const data = rows.map(({ actor, actor_name: name, deleted_at: deletedAt, ...row }) => ({
      ...row,
      deleted_at: formatTimestamp(deletedAt),
      actor: viewActor(actor, name),
    }));
    const last = rows.at(-1);
    return { data, next: last && rows.length === limit ? `${last.deleted_at}.${last.kind}.${last.id}` : null };
  });

/** A result with the name of the item, which is null if there is no such asset or location. */
export type NamedResult = RestoreResult & { name: string | null };

/**
 * Restores up to 100 assets and 100 locations that were deleted in the last 30 days, under their former ids: with key,
 * tags, custom details, photos and position, and locations with their floor plans. The failure of one does not affect the
 * others. Locations are restored in the given order, so parents come first.
 */
export const restoreItems = sessionProcedure('manager')
  .input(
    z.strictObject({
      asset_ids: idListField(restoredMax, 0).default([]),
      location_ids: idListField(restoredMax, 0).default([]),
    }),
  )
  .mutation(async ({ ctx, input }): Promise<{ results: NamedResult[] }> => {
    const scope = { db: ctx.services.db, orgId: ctx.orgId, author: ctx.author };
    const results = await restoreLocations(scope, [...new Set(input.location_ids)]);
    results.push(...(await restoreAssets(scope, [...new Set(input.asset_ids)])));
    const nameOf = await namesOf(scope.db, ctx.orgId, results);
    return { results: results.map((result) => ({ ...result, name: nameOf(result) ?? null })) };
  });

function readCursor(text: string): TrashCursor {
  const [deletedAt, kind, id] = text.split('.');
  return { deletedAt: Number(deletedAt), kind: kind === 'asset' ? 'asset' : 'location', id: Number(id) };
}
