import { z } from 'zod';
import type { LivePosition } from '../../tracking/live/items.js';
import { readPositions } from '../../tracking/live/position-queries.js';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter } from '../../kernel/validation/parameters.js';
import { latestMoves } from './queries.js';

const input = z.strictObject({ limit: integerParameter({ min: 1, max: 50 }).default(20) }).prefault({});

/**
 * Lists the assets that came to their present location most recently, latest first, in the same form as `scans.live`.
 */
export const listMoves = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { limit } }): Promise<LivePosition[]> => {
    const { db } = ctx.services;
    const assetIds = await latestMoves(db, ctx.orgId, limit);
    const indexes = new Map(assetIds.map((assetId, index) => [assetId, index]));
    const positions = await readPositions(db, ctx.orgId, assetIds);
    return positions.sort((one, other) => (indexes.get(one.asset_id) ?? 0) - (indexes.get(other.asset_id) ?? 0));
  });
