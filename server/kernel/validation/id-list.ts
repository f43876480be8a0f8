import type { z } from 'zod';
import { fail, field, isFailed } from './failure.js';
import { checkInteger, idRule, idSchema, missing, noInteger, wrongType } from './fields.js';

/** Returns a field for a list of `min` (1 by default) to `max` ids in a body; the same id may occur more than once. */
export function idListField(max: number, min: 0 | 1 = 1): z.ZodType<number[], number[]> {
  return field<number[]>(
    (value) => {
      if (value === undefined) return missing;
      if (!Array.isArray(value)) return wrongType('array', value);
      if (value.length < min) return fail('too_few_items', { min: 1 });
      if (value.length > max) return fail('too_many_items', { max });
      const ids: number[] = [];
      for (const item of value as unknown[]) {
        const id = typeof item === 'number' && Number.isInteger(item) ? checkInteger(item, idRule) : noInteger;
        if (isFailed(id)) return id;
        ids.push(id);
      }
      return ids;
    },
    { type: 'array', minItems: min, maxItems: max, items: idSchema },
  );
}
