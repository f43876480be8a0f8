import pg from 'pg';
import { Prisma } from '../../generated/prisma/client.js';

type DriverCause = { originalCode?: string; originalMessage?: string; constraint?: { index?: string } };

function driverCause(error: unknown): DriverCause | undefined {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const adapterError = error.meta?.['driverAdapterError'] as { cause?: DriverCause } | undefined;
  return adapterError?.cause;
}

/** The five-character SQLSTATE behind a failed statement, if the database refused it. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return driverCause(error)?.originalCode;
}

/** Whether a statement failed because it would have broken the named unique index. */
export function breaksUnique(error: unknown, index: string): boolean {
  const cause = driverCause(error);
  return cause?.originalCode === '23505' && (cause.originalMessage ?? '').includes(`"${index}"`);
}
