import type { Operation } from '../rest/operations.js';

/** Returns an error for a mistake in a procedure's annotations, which stops the start. */
export function descriptionError({ procedureName }: Pick<Operation, 'procedureName'>, why: string): Error {
  return new Error(`procedure ${procedureName}: ${why}`);
}
