import { z } from 'zod';
import { withGeneratedKeys } from '../../kernel/database/generated-key.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { retireAssets } from '../../things/assets/bulk-queries.js';
import { insertAsset } from '../../things/assets/queries.js';
import { insertLocation, retireLocations } from '../../things/locations/queries.js';
import { sessionProcedure } from '../../trpc.js';
import { occupancyOf } from '../undo/location-queries.js';
import { hasAssets, lockSample, noteSample, type Sample } from './queries.js';

const rowsMax = 20;

const names = z.array(nameField('create-string')).min(1).max(rowsMax);

/** The names are in the language of the person; `description` states in each row that it is a sample. */
const addInput = z.strictObject({
  site: nameField('create-string'),
  locations: names,
  assets: names,
  description: nameField('create-string'),
});

/**
 * Creates sample locations below a site, and sample assets, in an organization without assets, and returns their ids in the
 * given order. Floor plan and positions are added by the usual procedures.
 *
 * @throws ContractError `conflict` if the organization has assets, or sample data already
 */
export const addSampleData = sessionProcedure('admin')
  .input(addInput)
  .mutation(async ({ ctx, input: { site, locations, assets, description } }): Promise<{ site: number } & Sample> => {
    const { orgId, author } = ctx;
    return withGeneratedKeys(() =>
      ctx.services.db.$transaction(async (tx) => {
        await tx.$queryRaw(lockStatement('tree', orgId));
        const present = await lockSample(tx, orgId);
        if (present.locations.length > 0 || (await hasAssets(tx, orgId))) throw refusal('not_empty');
        const create = async (name: string, parentId: number | null) =>
          created(await insertLocation(tx, orgId, { location: { name, description }, parentId, author }));
        const siteId = await create(site, null);
        const sample: Sample = { locations: [], assets: [] };
        for (const name of locations) sample.locations.push(await create(name, siteId));
        for (const name of assets) {
          sample.assets.push(created(await insertAsset(tx, orgId, { asset: { name, description }, author })));
        }
        await noteSample(tx, orgId, { ...sample, locations: [siteId, ...sample.locations] });
        return { site: siteId, ...sample };
      }),
    );
  });

/** A row without a given key and without tags cannot conflict with another row. */
function created(row: { id: number } | undefined): number {
  if (!row) throw new Error('a row with a generated key was not stored');
  return row.id;
}

/** Deletes the sample assets, and the sample locations that contain nothing else. Repeating it changes nothing. */
export const removeSampleData = sessionProcedure('admin').mutation(
  async ({ ctx }): Promise<{ kept_locations: number }> => {
    const { orgId, author } = ctx;
    const { db } = ctx.services;
    const sample = await db.$transaction((tx) => lockSample(tx, orgId));
    await db.$transaction((tx) => retireAssets(tx, orgId, { ids: sample.assets, author }));
    const kept = await db.$transaction(async (tx) => {
      await tx.$queryRaw(lockStatement('tree', orgId));
      for (;;) {
        const live = await occupancyOf(tx, orgId, sample.locations);
        const empty = live.flatMap(({ id, is_empty: isEmpty }) => (isEmpty ? id : []));
        if (empty.length === 0) {
          await noteSample(tx, orgId, { locations: [], assets: [] });
          return live.length;
        }
        // Afterwards the location around them may be empty.
        await retireLocations(tx, orgId, { ids: empty, author });
      }
    });
    return { kept_locations: kept };
  },
);
