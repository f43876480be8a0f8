import { Logger } from 'graphile-worker';
import type { Log } from '../log.js';

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/**
 * Returns a logger for `graphile-worker` that writes to the service's log. The library's `info` lines, one for each
 * start of a worker, become `debug` lines.
 */
export function createJobLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const error: unknown = meta?.['error'];
    log[levels[level]]({ component: 'jobs', ...(error === undefined ? {} : { err: error }) }, message);
  });
}
