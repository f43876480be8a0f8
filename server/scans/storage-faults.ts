import { Prisma } from '../../generated/prisma/client.js';
import { sqlState } from '../database/faults.js';

/** What storing a batch ran into, and so what to do with it. */
export type StorageFault =
  /** The database is unreachable, busy, or ended a deadlock: the same batch succeeds later. */
  | 'passing'
  /** A month has no partition yet. */
  | 'no-partition'
  /** Something in the batch cannot be stored, now or ever. */
  | 'content';

/** Data exceptions, broken constraints, and limits of the program. */
const contentClasses = new Set(['22', '23', '54']);

/**
 * Tells what to do about a failure. Whatever is not known to lie in the content is taken for passing: to try once too
 * often costs time, to give up once too often costs a read.
 */
export function storageFault(error: unknown): StorageFault {
  if (
    error instanceof Prisma.PrismaClientValidationError ||
    error instanceof TypeError ||
    error instanceof RangeError
  ) {
    return 'content';
  }
  const state = sqlState(error);
  if (state === undefined) return 'passing';
  // A check violation without a constraint: no partition takes the row.
  if (state === '23514' && String(error).includes('no partition of relation')) return 'no-partition';
  return contentClasses.has(state.slice(0, 2)) ? 'content' : 'passing';
}
