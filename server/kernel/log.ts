import { type DestinationStream, type Logger, pino } from 'pino';
import { build as prettyStream } from 'pino-pretty';
import type { Settings } from './settings.js';
import { truncate } from './truncate.js';

export type Log = Logger;

/** Keys whose values never reach a log line, at the top or one level below it. */
const secretKeys = ['authorization', 'cookie', 'password', 'mqtt_password', 'secret', 'token', 'authSecret'];

/** The maximum length of a value in a log line, since clients choose user names, request ids and the like. */
const valueCharactersMax = 256;
const errorCharactersMax = 8192;
/** How many levels deep logged values are truncated. */
const levelsMax = 3;

/**
 * Lines are written together, after a tenth of a second at the latest. The remaining lines are written when the process
 * ends.
 */
const bufferedOutput = { fd: 1, sync: false, minLength: 8192, periodicFlush: 100 };

/**
 * Creates a stream for people in a terminal: one colored line per entry, written at once so that none is lost at exit.
 */
function terminalStream(): DestinationStream {
  return prettyStream({ colorize: true, ignore: 'pid,hostname', sync: true, translateTime: 'SYS:HH:MM:ss' });
}

/**
 * Returns the value with every long string in it truncated. A value without long strings is returned itself, not a
 * copy.
 */
function truncateValues(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return truncate(value, valueCharactersMax);
  if (typeof value !== 'object' || value === null || value instanceof Error || levels === 0) return value;
  let copy: Record<string, unknown> | unknown[] | undefined;
  for (const [key, item] of Object.entries(value)) {
    const short = truncateValues(item, levels - 1);
    if (short === item) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    (copy as Record<string, unknown>)[key] = short;
  }
  return copy ?? value;
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return truncateValues(error, levelsMax);
  // The driver attaches the whole connection to an error, including its cancel key. The detail quotes the row.
  const { client: _client, detail: _detail, ...serialized } = pino.stdSerializers.err(error);
  return truncateErrorTexts(serialized);
}

/** Truncates messages and stacks, which can quote the client's input. Their limit is larger than the limit of values. */
function truncateErrorTexts(serialized: object): Record<string, unknown> {
  const entries = Object.entries(serialized).map(([key, item]): [string, unknown] => {
    const isText = typeof item === 'string';
    return [key, isText ? truncate(item, errorCharactersMax) : truncateValues(item, levelsMax)];
  });
  return Object.fromEntries(entries);
}

/**
 * Creates the log of the process: JSON lines with ISO times on standard output, or readable text in a terminal.
 *
 * @param destination receives the JSON lines instead of standard output
 */
export function createLog(level: Settings['logLevel'], destination?: DestinationStream): Log {
  const paths = secretKeys.flatMap((key) => [key, `*.${key}`]);
  const options = {
    level,
    redact: { paths, censor: '[secret]' },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => truncateValues(fields, levelsMax) as Record<string, unknown>,
    },
    serializers: { err: serializeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (destination) return pino(options, destination);
  return process.stdout.isTTY ? pino(options, terminalStream()) : pino(options, pino.destination(bufferedOutput));
}
