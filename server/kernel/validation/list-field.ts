import { z } from 'zod';
import { fieldFault } from '../field-reasons.js';
import { describedAs, type Failure, failureIn, issueOf } from './failure.js';
import { jsonTypeOf, wrongType } from './fields.js';

export type ListRule = { min: number; max: number };

/**
 * Returns a field for a list of objects in a body. Failures have the key within the item, and its index in
 * `params.path`.
 */
export function listField<Output, Input>(item: z.ZodType<Output, Input>, rule: ListRule): z.ZodType<Output[], Input[]> {
  const schema = z
    .unknown()
    .transform((value, context): Output[] => {
      const flaw = flawOf(value, rule);
      if (flaw) {
        context.issues.push(issueOf(flaw, value));
        return [];
      }
      return (value as unknown[]).flatMap((entry, index) => {
        const result =
          jsonTypeOf(entry) === 'object'
            ? item.safeParse(entry)
            : { success: false as const, error: wrongEntry(entry) };
        if (result.success) return [result.data];
        for (const issue of result.error.issues) {
          context.issues.push({ ...issue, input: entry, path: [index, ...issue.path] } as never);
        }
        return [];
      });
    })
    .meta(describedAs({ type: 'array', minItems: rule.min, maxItems: rule.max, items: { type: 'object' } }));
  return schema as unknown as z.ZodType<Output[], Input[]>;
}

function flawOf(value: unknown, { min, max }: ListRule): Failure | undefined {
  if (value === undefined) return fieldFault('required');
  if (!Array.isArray(value)) return failureIn(wrongType('array', value));
  if (value.length < min) return fieldFault('too_few_items', { min });
  return value.length > max ? fieldFault('too_many_items', { max }) : undefined;
}

function wrongEntry(entry: unknown): { issues: ReturnType<typeof issueOf>[] } {
  return { issues: [issueOf(failureIn(wrongType('object', entry)), entry)] };
}
