import { Prisma } from '../../../generated/prisma/client.js';

type DriverCause = { kind?: string; originalCode?: string; originalMessage?: string };

/**
 * An error of node-postgres: the SQLSTATE with a severity for an error of the server, otherwise a code of the system.
 */
type DriverError = { code?: unknown; severity?: unknown; message?: unknown };

function driverCause(error: unknown): DriverCause | undefined {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    const adapterError = error.meta?.['driverAdapterError'] as { cause?: DriverCause } | undefined;
    return adapterError?.cause;
  }
  const { code, severity, message } = (error ?? {}) as DriverError;
  if (typeof code !== 'string' || typeof severity !== 'string') return undefined;
  return { originalCode: code, originalMessage: String(message) };
}

/** Returns the five-character SQLSTATE of a failed statement, if the database reported the failure. */
export function sqlState(error: unknown): string | undefined {
  return driverCause(error)?.originalCode;
}

/** Returns whether a statement failed because of the named unique index. */
export function breaksUnique(error: unknown, index: string): boolean {
  const cause = driverCause(error);
  return cause?.originalCode === '23505' && (cause.originalMessage ?? '').includes(`"${index}"`);
}

/** Returns whether a statement failed because a row that it refers to is gone, or is still referred to. */
export function lacksReference(error: unknown): boolean {
  return sqlState(error) === '23503';
}

/**
 * A lock was not available in time, or waiting for it caused a deadlock. The statement or transaction can be repeated.
 */
const lockStates = new Set(['55P03', '40P01', '40001']);

export function isLockFault(error: unknown): boolean {
  return lockStates.has(sqlState(error) ?? '') || prismaCode(error) === 'P2034';
}

/** Classes of SQLSTATE: no connection, no resources, operator intervention. 57014 is a statement that took too long. */
const awayClasses = new Set(['08', '53', '57']);

/** Errors of Prisma: not reachable, timed out, closed, no connection in time, no transaction in time, too many connections. */
const awayPrismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);

const awaySystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * The kinds to which Prisma's adapter converts system codes. An error of a raw query has no other hint: its code is
 * always P2010.
 */
const awayKinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout']);

/** Messages of node-postgres, without a code, when a connection ends or cannot be made. */
const awayWords =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Returns whether the database was too busy or unavailable: the request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (isLockFault(fault)) return true;
    const state = sqlState(fault) ?? '';
    if (awayClasses.has(state.slice(0, 2)) || state === '25P03') return true;
    if (awayPrismaCodes.has(prismaCode(fault) ?? '')) return true;
    if (awayKinds.has(driverCause(fault)?.kind ?? '')) return true;
    const { code } = fault as DriverError;
    if (typeof code === 'string' && awaySystemCodes.has(code)) return true;
    if (awayWords.test(fault.message)) return true;
    if (fault instanceof AggregateError && fault.errors.some(isUnavailable)) return true;
  }
  return false;
}

/** Returns the code of a Prisma error, such as `P2028`. */
function prismaCode(error: unknown): string | undefined {
  const code =
    (error as { code?: unknown; errorCode?: unknown } | null)?.code ??
    (error as { errorCode?: unknown } | null)?.errorCode;
  return typeof code === 'string' && /^P\d{4}$/.test(code) ? code : undefined;
}
