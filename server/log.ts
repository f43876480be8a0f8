import { type DestinationStream, type Logger, pino } from 'pino';
import { build as prettyStream } from 'pino-pretty';
import type { Settings } from './settings.js';

export type Log = Logger;

/** Keys whose values never reach a log line, at the top or one level below it. */
const SECRET_KEYS = ['authorization', 'cookie', 'password', 'mqtt_password', 'secret', 'token', 'authSecret'];

/** Lines leave together, after a tenth of a second at the latest; the rest is written when the process ends. */
const bufferedOutput = { fd: 1, sync: false, minLength: 8192, periodicFlush: 100 };

/** For people in a terminal: one coloured line per entry, written at once so that none is lost at exit. */
function terminalStream(): DestinationStream {
  return prettyStream({ colorize: true, ignore: 'pid,hostname', sync: true, translateTime: 'SYS:HH:MM:ss' });
}

/**
 * The one log of the process: JSON lines with ISO times on standard output, or readable text where that is a terminal.
 *
 * @param destination takes the JSON lines instead of standard output
 */
export function createLog(level: Settings['logLevel'], destination?: DestinationStream): Log {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`]);
  const options = {
    level,
    redact: { paths, censor: '[secret]' },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (destination) return pino(options, destination);
  return process.stdout.isTTY ? pino(options, terminalStream()) : pino(options, pino.destination(bufferedOutput));
}
