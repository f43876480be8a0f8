import { z } from 'zod';
import type { TagType } from '../tags/schemas.js';
import { sessionProcedure } from '../trpc.js';
import { fail, field, isFailed } from '../validation/failure.js';
import { checkText, missing, wrongType } from '../validation/fields.js';
import { tagValueRule } from './reader-message.js';
import { type MatchRow, resolveValues } from './resolve-queries.js';

const valuesMax = 500;

const valuesField = field<string[]>(
  (values) => {
    if (values === undefined) return missing;
    if (!Array.isArray(values)) return wrongType('array', values);
    if (values.length > valuesMax)
      return fail('too_long', `{f} must contain at most ${valuesMax} item(s)`, { params: { max_length: valuesMax } });
    for (const value of values) {
      const checked = typeof value === 'string' ? checkText(value, tagValueRule) : wrongType('string', value);
      if (isFailed(checked)) return checked;
    }
    return values as string[];
  },
  { type: 'array', maxItems: valuesMax, items: { type: 'string' } },
);

const input = z.strictObject({ values: valuesField });

/**
 * An asset or location that a value names, by a tag, its key or its label, and where it is: an asset's present location, a location's parent.
 */
export type ResolvedMatch = {
  kind: 'asset' | 'location';
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  /** Null for what is named by its key or its label. */
  tag_type: TagType | null;
  /** Null for an asset that was never seen or has no location, and for a root location. */
  where: { id: number; name: string; external_key: string } | null;
};

/** A value with all its matches. The first one decides: a submission places it if it is an asset. */
export type ResolvedValue = { value: string; matches: ResolvedMatch[] };

/**
 * Returns what scanned values name, by the rules of a submission, and changes nothing. It is a mutation
 * since so many values do not fit into a URL.
 */
export const resolveScans = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { values } }): Promise<ResolvedValue[]> => {
    const answer: ResolvedValue[] = values.map((value) => ({ value, matches: [] }));
    const { db, settings } = ctx.services;
    for (const row of await resolveValues(db, ctx.orgId, { values, baseUrl: settings.baseUrl })) {
      answer[row.ordinal - 1]?.matches.push(matchOf(row));
    }
    return answer;
  });

function matchOf(row: MatchRow): ResolvedMatch {
  const { kind, id, name, external_key, is_active, tag_type, where_id, where_name, where_key } = row;
  const where = where_id === null ? null : { id: where_id, name: where_name ?? '', external_key: where_key ?? '' };
  return { kind, id, name, external_key, is_active, tag_type, where };
}
