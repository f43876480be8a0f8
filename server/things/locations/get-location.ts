import { z } from 'zod';
import { described, scopedProcedure } from '../../trpc.js';
import { locationNotFound } from './procedure.js';
import { findLocation } from './queries.js';
import { locationId, locationResponse } from './schemas.js';
import { viewLocation } from './view.js';

/** `GET /api/v1/locations/{location_id}`: a live location, effective or not (contract 2.8). */
export const getLocation = scopedProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/locations/{location_id}',
      operationId: 'getLocation',
      summary: 'Read a location',
      description: 'Returns a location that is not deleted, whatever its effective dates.',
      tags: ['locations'],
    },
    scopes: ['locations:read'],
    schemas: { response: 'LocationResponse' },
  })
  .input(z.strictObject(locationId))
  .output(described(locationResponse))
  .query(async ({ ctx, input }) => {
    const row = await findLocation(ctx.services.db, ctx.orgId, input.location_id);
    if (!row) throw locationNotFound();
    return { data: viewLocation(row) };
  });
