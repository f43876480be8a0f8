import { Prisma } from '../../../generated/prisma/client.js';
import { sqlState } from '../../kernel/database/faults.js';

/** The kinds of failures to store a batch, by what has to be done. */
export type StorageFault =
  /** The database is unreachable, busy, or ended a deadlock: a retry of the same batch succeeds later. */
  | 'passing'
  /** A month has no partition yet. */
  | 'no-partition'
  /** Something in the batch can never be stored. */
  | 'content';

/** Data exceptions, violated constraints, and program limits. */
const contentClasses = new Set(['22', '23', '54']);

/**
 * Classifies a failure. Unknown failures count as passing: an unnecessary retry costs time, a missing retry loses a
 * read.
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
  // A check violation without a constraint: the row has no partition.
  if (state === '23514' && String(error).includes('no partition of relation')) return 'no-partition';
  return contentClasses.has(state.slice(0, 2)) ? 'content' : 'passing';
}
