import { Logger } from 'graphile-worker';
import type { Log } from '../log.js';

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/**
 * Returns a logger for `graphile-worker` that writes to the service's log. The library logs each start of a worker as
 * information, which is debug output here.
 */
export function createJobLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const error: unknown = meta?.['error'];
    log[levels[level]]({ component: 'jobs', ...(error === undefined ? {} : { err: error }) }, message);
  });
}
