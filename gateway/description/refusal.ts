import type { Operation } from '../rest/operations.js';

/** A mistake in what a procedure says of itself; it stops the start. */
export function refusal({ procedureName }: Pick<Operation, 'procedureName'>, why: string): Error {
  return new Error(`procedure ${procedureName}: ${why}`);
}
