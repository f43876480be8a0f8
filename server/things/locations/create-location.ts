import type { Author } from '../../people/activity/author.js';
import type { Database } from '../../kernel/database/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import { createUnlessTaken } from '../tags/queries.js';
import { described, scopedProcedure } from '../../trpc.js';
import { namesParent, resolveParent } from './parents.js';
import { locationKeyTaken } from './procedure.js';
import { insertLocation } from './queries.js';
import { type CreateLocation, createLocationInput, locationResponse } from './schemas.js';
import { rejectTooDeep } from './tree-queries.js';
import { type LocationRow, viewLocation } from './view.js';

/**
 * `POST /api/v1/locations`: creates a location with its tags under a live parent. Generates the lowest free `LOC-NNNN`
 * if no key is given (contract 2.1, 5.9). 409 if the key or one of the tags is taken; then nothing is stored.
 */
export const createLocation = scopedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/locations',
      operationId: 'createLocation',
      summary: 'Create a location',
      description:
        'Creates a location below another or at the top of the tree, and attaches its tags, all of it or nothing.',
      tags: ['locations'],
    },
    scopes: ['locations:write'],
    successStatus: 201,
    conflicts: true,
    schemas: { request: 'CreateLocationRequest', response: 'LocationResponse' },
  })
  .input(createLocationInput)
  .output(described(locationResponse))
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.services;
    const row = await createUnlessTaken(db, {
      parent: 'location',
      orgId: ctx.orgId,
      externalKey: input.external_key,
      tags: input.tags ?? [],
      keyTaken: locationKeyTaken,
      insert: () => create(db, ctx.orgId, { location: input, author: ctx.author }),
    });
    return { data: viewLocation(row) };
  });

/**
 * Creates a location. The lock on the tree keeps the parent alive until the child is stored. It is taken before the
 * lock of the key series, as in all transactions.
 */
async function create(
  db: Database,
  orgId: number,
  { location, author }: { location: CreateLocation; author: Author },
): Promise<LocationRow | undefined> {
  if (!namesParent(location)) return insertLocation(db, orgId, { location, parentId: null, author });
  return db.$transaction(async (tx) => {
    await tx.$queryRaw(sharedLockStatement('tree', orgId));
    const parentId = await resolveParent(tx, orgId, location);
    if (parentId !== null) await rejectTooDeep(tx, orgId, { parentId });
    return insertLocation(tx, orgId, { location, parentId, author });
  });
}
