import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { attachTag, detachTag, rejectingDuplicateTags } from './queries.js';
import { tagRequestFields, tagView } from './schemas.js';
import { described } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { assetNotFound, assetProcedure } from '../assets/procedure.js';
import { assetExists } from '../assets/queries.js';
import { assetId } from '../assets/schemas.js';

/** `POST /api/v1/assets/{asset_id}/tags`: attaches a tag; 409 if the pair is live anywhere in the organization (contract 2.4). */
export const addAssetTag = assetProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/assets/{asset_id}/tags',
      operationId: 'addAssetTag',
      summary: 'Attach a tag to an asset',
      description:
        'Attaches a tag. A pair of type and value is on one thing at a time, anywhere in the organization. An asset has at most 100 tags.',
      tags: ['assets'],
    },
    scopes: ['assets:write'],
    successStatus: 201,
    conflicts: true,
    schemas: { request: 'TagRequest', response: 'TagResponse' },
  })
  .input(z.strictObject({ ...assetId, ...tagRequestFields }))
  .output(described(z.object({ data: tagView })))
  .mutation(async ({ ctx, input: { asset_id: parentId, ...tag } }) => {
    const { db } = ctx.services;
    const attached = await rejectingDuplicateTags(db, { orgId: ctx.orgId, tags: [tag] }, () =>
      attachTag(db, ctx.orgId, { parent: 'asset', parentId, tag, author: ctx.author }),
    );
    if (!attached) throw assetNotFound();
    return { data: attached };
  });

/** `DELETE /api/v1/assets/{asset_id}/tags/{tag_id}`: detaches a tag from this asset. */
export const removeAssetTag = assetProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/assets/{asset_id}/tags/{tag_id}',
      operationId: 'removeAssetTag',
      summary: 'Detach a tag from an asset',
      description: 'Detaches a tag, which can then be attached to something else.',
      tags: ['assets'],
    },
    scopes: ['assets:write'],
    successStatus: 204,
  })
  .input(z.strictObject({ ...assetId, tag_id: idParameter() }))
  .output(described(z.void()))
  .mutation(async ({ ctx, input: { asset_id: parentId, tag_id: tagId } }) => {
    const { db } = ctx.services;
    if (await detachTag(db, ctx.orgId, { parent: 'asset', parentId, tagId, author: ctx.author })) return;
    if (!(await assetExists(db, ctx.orgId, parentId))) throw assetNotFound();
    throw refusal('tag_not_attached', { kind: 'asset' });
  });
