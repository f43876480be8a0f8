import { z } from 'zod';
import { roleIncludes } from '../auth/scopes.js';
import { sessionProcedure } from '../trpc.js';
import { textParameter } from '../validation/parameters.js';
import { searchRule } from '../validation/resource-fields.js';
import { type FoundLocation, findLocations } from './location-queries.js';
import { type FoundAsset, type FoundReader, type FoundTag, findAssets, findReaders, findTags } from './queries.js';
import { termsOf } from './terms.js';

/** The results for each noun, best first, at most eight of each. */
export type Findings = {
  assets: FoundAsset[];
  locations: FoundLocation[];
  /** Tags by value, each with the asset or location that it is attached to. */
  tags: FoundTag[];
  readers: FoundReader[];
};

const input = z.strictObject({ q: textParameter(searchRule) });

/**
 * Searches everything at once: an exact key or tag value first, then prefixes, then substrings. One or two characters
 * are only compared with prefixes.
 */
export const searchEverything = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: { q } }): Promise<Findings> => {
    const terms = termsOf(q);
    if (terms.q === '') return { assets: [], locations: [], tags: [], readers: [] };
    const { db } = ctx.services;
    const [assets, locations, tags, readers] = await Promise.all([
      findAssets(db, ctx.orgId, terms),
      findLocations(db, ctx.orgId, terms),
      findTags(db, ctx.orgId, terms),
      findReaders(db, ctx.orgId, { terms, isAdmin: roleIncludes(ctx.actor.role, 'admin') }),
    ]);
    return { assets, locations, tags, readers };
  });
