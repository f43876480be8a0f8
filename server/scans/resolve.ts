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

/** What carries a value as a tag, and where that is: an asset's present location, a location's parent. */
export type ResolvedMatch = {
  kind: 'asset' | 'location';
  id: number;
  name: string;
  external_key: string;
  is_active: boolean;
  tag_type: TagType;
  /** Null where an asset was never seen or is nowhere, and for a location at the top. */
  where: { id: number; name: string; external_key: string } | null;
};

/** A value with everything that carries it. The first match decides: a submission places it, if it is an asset. */
export type ResolvedValue = { value: string; matches: ResolvedMatch[] };

/**
 * Tells what scanned values belong to, by the rules of a submission, and changes nothing. It is a mutation since so many
 * values do not fit into an address.
 */
export const resolveScans = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { values } }): Promise<ResolvedValue[]> => {
    const answer: ResolvedValue[] = values.map((value) => ({ value, matches: [] }));
    for (const row of await resolveValues(ctx.services.db, ctx.orgId, values)) {
      answer[row.place - 1]?.matches.push(matchOf(row));
    }
    return answer;
  });

function matchOf(row: MatchRow): ResolvedMatch {
  const { kind, id, name, external_key, is_active, tag_type, where_id, where_name, where_key } = row;
  const where = where_id === null ? null : { id: where_id, name: where_name ?? '', external_key: where_key ?? '' };
  return { kind, id, name, external_key, is_active, tag_type, where };
}
