/**
 * An error of node-postgres: the SQLSTATE with a severity for an error of the server, otherwise a code of the system.
 */
type DriverError = { code?: unknown; severity?: unknown; message?: unknown };

/** Returns the five-character SQLSTATE of a failed statement, if the database reported the failure. */
export function sqlState(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as DriverError;
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** Returns whether a statement failed because of the named unique index. */
export function breaksUnique(error: unknown, index: string): boolean {
  return sqlState(error) === '23505' && String((error as DriverError).message).includes(`"${index}"`);
}

/**
 * A lock was not available in time, or waiting for it caused a deadlock. The statement or transaction can be repeated.
 */
const lockStates = new Set(['55P03', '40P01', '40001']);

export function isLockFault(error: unknown): boolean {
  return lockStates.has(sqlState(error) ?? '');
}

/** Classes of SQLSTATE: no connection, no resources, operator intervention. 57014 is a statement that took too long. */
const awayClasses = new Set(['08', '53', '57']);

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

/** Messages of node-postgres, without a code, when a connection ends or cannot be made. */
const awayWords =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Returns whether the database was too busy or unavailable: the request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (isLockFault(fault)) return true;
    const state = sqlState(fault) ?? '';
    if (awayClasses.has(state.slice(0, 2)) || state === '25P03') return true;
    const { code } = fault as DriverError;
    if (typeof code === 'string' && awaySystemCodes.has(code)) return true;
    if (awayWords.test(fault.message)) return true;
    if (fault instanceof AggregateError && fault.errors.some(isUnavailable)) return true;
  }
  return false;
}
