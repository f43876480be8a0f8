import { z } from 'zod';
import { roleIncludes } from '../auth/scopes.js';
import { sessionProcedure } from '../trpc.js';
import { textParameter } from '../validation/parameters.js';
import { searchRule } from '../validation/resource-fields.js';
import { type FoundLocation, findLocations } from './location-queries.js';
import { findPlans, type FoundPlan } from './plan-queries.js';
import { type FoundAsset, type FoundReader, type FoundTag, findAssets, findReaders, findTags } from './queries.js';
import { termsOf } from './terms.js';

/** The results for each noun, best first, at most eight of each. */
export type Findings = {
  assets: FoundAsset[];
  locations: FoundLocation[];
  /** Tags by value, each with the asset or location that it is attached to. */
  tags: FoundTag[];
  readers: FoundReader[];
  /** Locations with a floor plan. */
  plans: FoundPlan[];
};

const input = z.strictObject({
  q: textParameter(searchRule),
  /** What the app calls a floor plan in its language; a person may type it with the name of one. */
  plan_title: textParameter({ min: 1, max: 50 }).exactOptional(),
});

/**
 * Searches everything at once: an exact key or tag value first, then prefixes, then substrings. One or two characters
 * are only compared with prefixes.
 */
export const searchEverything = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { q, plan_title: title = '' } }): Promise<Findings> => {
    const terms = termsOf(q);
    if (terms.q === '') return { assets: [], locations: [], tags: [], readers: [], plans: [] };
    const { db } = ctx.services;
    const [assets, locations, tags, readers, plans] = await Promise.all([
      findAssets(db, ctx.orgId, terms),
      findLocations(db, ctx.orgId, terms),
      findTags(db, ctx.orgId, terms),
      findReaders(db, ctx.orgId, { terms, isAdmin: roleIncludes(ctx.actor.role, 'admin') }),
      findPlans(db, ctx.orgId, { terms, title }),
    ]);
    return { assets, locations, tags, readers, plans };
  });
