import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { attachTag, detachTag, rejectingDuplicateTags } from './queries.js';
import { tagRequestFields, tagView } from './schemas.js';
import { described } from '../../trpc.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import { locationNotFound, locationProcedure } from '../locations/procedure.js';
import { locationExists } from '../locations/queries.js';
import { locationId } from '../locations/schemas.js';

/** `POST /api/v1/locations/{location_id}/tags`: attaches a tag; 409 if the pair is live anywhere in the organization (contract 2.4). */
export const addLocationTag = locationProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/locations/{location_id}/tags',
      operationId: 'addLocationTag',
      summary: 'Attach a tag to a location',
      description:
        'Attaches a tag. A pair of type and value is on one thing at a time, anywhere in the organization. A location has at most 100 tags.',
      tags: ['locations'],
    },
    scopes: ['locations:write'],
    successStatus: 201,
    conflicts: true,
    schemas: { request: 'TagRequest', response: 'TagResponse' },
  })
  .input(z.strictObject({ ...locationId, ...tagRequestFields }))
  .output(described(z.object({ data: tagView })))
  .mutation(async ({ ctx, input: { location_id: parentId, ...tag } }) => {
    const { db } = ctx.services;
    const attached = await rejectingDuplicateTags(db, { orgId: ctx.orgId, tags: [tag] }, () =>
      attachTag(db, ctx.orgId, { parent: 'location', parentId, tag, author: ctx.author }),
    );
    if (!attached) throw locationNotFound();
    return { data: attached };
  });

/** `DELETE /api/v1/locations/{location_id}/tags/{tag_id}`: detaches a tag from this location. */
export const removeLocationTag = locationProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/api/v1/locations/{location_id}/tags/{tag_id}',
      operationId: 'removeLocationTag',
      summary: 'Detach a tag from a location',
      description: 'Detaches a tag, which can then be attached to something else.',
      tags: ['locations'],
    },
    scopes: ['locations:write'],
    successStatus: 204,
  })
  .input(z.strictObject({ ...locationId, tag_id: idParameter() }))
  .output(described(z.void()))
  .mutation(async ({ ctx, input: { location_id: parentId, tag_id: tagId } }) => {
    const { db } = ctx.services;
    if (await detachTag(db, ctx.orgId, { parent: 'location', parentId, tagId, author: ctx.author })) return;
    if (!(await locationExists(db, ctx.orgId, parentId))) throw locationNotFound();
    throw refusal('tag_not_attached', { kind: 'location' });
  });
