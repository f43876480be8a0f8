import { z } from 'zod';
import { roleIncludes } from '../../people/auth/scopes.js';
import { sessionProcedure } from '../../trpc.js';
import { idParameter, textParameter } from '../../kernel/validation/parameters.js';
import { searchRule } from '../../kernel/validation/resource-fields.js';
import { type FoundLocation, findLocations } from './location-queries.js';
import { findPlans, type FoundPlan } from './plan-queries.js';
import { type FoundAsset, type FoundReader, type FoundTag, findAssets, findReaders, findTags } from './queries.js';
import { termsOf } from './terms.js';

/** The results for each noun, best first, at most eight of each. */
export type Findings = {
  assets: FoundAsset[];
  /** The number of assets that the table of assets shows for the text; a lower bound if it is not exact. */
  asset_count: number;
  asset_count_is_exact: boolean;
  locations: FoundLocation[];
  /** Tags by value, each with the asset or location that it is attached to. */
  tags: FoundTag[];
  readers: FoundReader[];
  /** Locations with a floor plan. */
  plans: FoundPlan[];
};

const nothing: Findings = {
  assets: [],
  asset_count: 0,
  asset_count_is_exact: true,
  locations: [],
  tags: [],
  readers: [],
  plans: [],
};

const input = z.strictObject({
  q: textParameter(searchRule),
  /** The app's term for a floor plan in its language, which a person may type together with the name of a plan. */
  plan_title: textParameter({ min: 1, max: 50 }).exactOptional(),
  /** The location to which the nearest assets come first. */
  near: idParameter().exactOptional(),
});

/**
 * Searches everything at once: an exact key or tag value first, then prefixes, then substrings, then assets with all words in their
 * texts, tags or the path of their location. One or two characters are only compared with prefixes.
 */
export const searchEverything = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { q, near, plan_title: title = '' } }): Promise<Findings> => {
    const terms = termsOf(q);
    if (terms.q === '') return nothing;
    const { db } = ctx.services;
    const [found, locations, tags, readers, plans] = await Promise.all([
      findAssets(db, ctx.orgId, { terms, nearId: near }),
      findLocations(db, ctx.orgId, terms),
      findTags(db, ctx.orgId, terms),
      findReaders(db, ctx.orgId, { terms, isAdmin: roleIncludes(ctx.actor.role, 'admin') }),
      findPlans(db, ctx.orgId, { terms, title }),
    ]);
    return {
      assets: found.data,
      asset_count: found.total_count,
      asset_count_is_exact: found.total_is_exact,
      locations,
      tags,
      readers,
      plans,
    };
  });
