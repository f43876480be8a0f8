import { z } from 'zod';
import type { Author } from '../../people/activity/author.js';
import type { Database } from '../../kernel/database/client.js';
import { createUnlessTaken } from '../tags/queries.js';
import { tagRequestFields } from '../tags/schemas.js';
import { sessionProcedure } from '../../trpc.js';
import { listField } from '../../kernel/validation/list-field.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { assetKeyTaken } from './procedure.js';
import { insertAsset } from './queries.js';

/** Assets of one request. */
export const createdAtOnceMax = 500;

const item = z.strictObject({ name: nameField('create-string'), ...tagRequestFields });

type NewAsset = z.output<typeof item>;

/** The created assets, in the given order. */
export type CreatedMany = { assets: { id: number; external_key: string; name: string }[] };

/** Thrown inside the transaction to roll it back when a tag is taken. */
class TakenError extends Error {}

/**
 * Creates many assets, each with a name and one tag, in one transaction: all of them or none.
 *
 * @throws ContractError `conflict` that names the first tag that is already attached, or is given twice
 */
export const createManyAssets = sessionProcedure('manager')
  .input(z.strictObject({ assets: listField(item, { min: 1, max: createdAtOnceMax }) }))
  .mutation(async ({ ctx, input: { assets } }): Promise<CreatedMany> => {
    const { db } = ctx.services;
    return createUnlessTaken(db, {
      parent: 'asset',
      orgId: ctx.orgId,
      externalKey: undefined,
      keyTaken: assetKeyTaken,
      tags: assets.map(({ tag_type, value }) => ({ tag_type, value })),
      insert: () => insertAll(db, ctx.orgId, { assets, author: ctx.author }),
    });
  });

async function insertAll(
  db: Database,
  orgId: number,
  { assets, author }: { assets: readonly NewAsset[]; author: Author },
): Promise<CreatedMany | undefined> {
  // Every request locks tags in this order, so that two of them never deadlock.
  const ordered = assets.map((asset, index) => ({ asset, index })).toSorted((a, b) => compareTags(a.asset, b.asset));
  try {
    return await db.$transaction(async (tx) => {
      const created: CreatedMany['assets'] = [];
      for (const { asset, index } of ordered) {
        const { name, tag_type, value } = asset;
        const row = await insertAsset(tx, orgId, { asset: { name, tags: [{ tag_type, value }] }, author });
        if (!row) throw new TakenError();
        created[index] = { id: row.id, external_key: row.external_key, name: row.name };
      }
      return { assets: created };
    });
  } catch (error) {
    if (error instanceof TakenError) return undefined;
    throw error;
  }
}

function compareTags(one: NewAsset, other: NewAsset): number {
  if (one.tag_type !== other.tag_type) return one.tag_type < other.tag_type ? -1 : 1;
  return one.value < other.value ? -1 : one.value > other.value ? 1 : 0;
}
