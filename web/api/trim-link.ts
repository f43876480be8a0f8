import type { TRPCLink } from '@trpc/client';
import type { AppRouter } from '../../server/router.js';
import { trimmed as withoutInvisible } from '../csv/cell-text.js';

/** Texts that the service refuses with white space at their ends; passwords and payloads are sent as they are. */
const trimmedFields = new Set(['name', 'organization_name', 'external_key', 'email', 'description', 'value']);
/** Objects and lists whose own texts are trimmed too. */
const trimmedInside = new Set(['person', 'tags']);

/** Removes white space and invisible characters, which a pasted text can have, at the ends of names, keys and tag values from the input of mutations. */
export const trimLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op.type === 'mutation' ? { ...op, input: trimmed(op.input) } : op);

/** Returns an input with its texts trimmed; exported for the tests. */
export function trimmed(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(trimmed);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]: [string, unknown]) => {
      if (typeof value === 'string' && trimmedFields.has(key)) return [key, withoutInvisible(value)];
      return [key, trimmedInside.has(key) ? trimmed(value) : value];
    }),
  );
}
