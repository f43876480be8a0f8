import { sessionProcedure } from '../../trpc.js';
import { type FlowRow, readFlow } from './flow-queries.js';
import { checkedPeriod, periodInput } from './period.js';
import { existingLocation } from './scope.js';

const pairsMax = 500;

type End = { id: number; name: string };

/** How often assets moved from one location to another; null stands for no known location. */
export type Flow = { from: End | null; to: End | null; moves: number };

export type FlowReport = {
  data: Flow[];
  /** All moves, including moves between pairs that are not listed. */
  total_moves: number;
  is_complete: boolean;
};

/**
 * Reports how often assets moved from one location to another in a period; with a location, moves that began or ended
 * in it or its sublocations. First sightings are no moves. Lists the 500 most frequent pairs.
 */
export const reportFlow = sessionProcedure('viewer')
  .input(periodInput)
  .query(async ({ ctx, input }): Promise<FlowReport> => {
    const { db } = ctx.services;
    const period = checkedPeriod(input);
    const locationId = await existingLocation(db, ctx.orgId, input.location_id);
    const rows = await readFlow(db, ctx.orgId, { period, locationId, limit: pairsMax + 1 });
    return {
      data: rows.slice(0, pairsMax).map(flow),
      total_moves: rows[0]?.total_moves ?? 0,
      is_complete: rows.length <= pairsMax,
    };
  });

function flow({ from_id, from_name, to_id, to_name, moves }: FlowRow): Flow {
  return {
    from: from_id === null ? null : { id: from_id, name: from_name ?? '' },
    to: to_id === null ? null : { id: to_id, name: to_name ?? '' },
    moves,
  };
}
