import { parseArgs } from 'node:util';
import { tickMs } from './air.js';
import { DemoError } from './demo-error.js';
import { hourMs } from './shifts.js';

export type Options = {
  seed: number;
  /** Milliseconds of the day in a real one; Infinity for as fast as the service acknowledges. */
  speed: number;
  /** Of whole steps. */
  dayMs: number;
  assets: number;
  /** A running service; without it one is looked for, and started if there is none. */
  url: string | undefined;
  mqttUrl: string | undefined;
  /** An existing administrator, where nobody can sign up. */
  account: { email: string; password: string } | undefined;
  report: 'table' | 'json';
  /** Whether to end when the day is over, instead of serving on. */
  once: boolean;
};

const speedMax = 10_000;
const hoursMax = 168;
const assetsMax = 50_000;

export const usage = `npm run demo -- [options]

Makes an organisation with 40 locations, 2,000 assets and 12 readers, plays a day in which things move, in the readers' own
formats over MQTT, and prints how often the service reports them where they are. Ctrl-C ends it; the data stays.

  --seed <n>          another day with another number, the same with the same (1)
  --speed <n>         how many times faster than life; "max" for as fast as the service acknowledges (60)
  --hours <n>         length of the day, which begins at six in the morning (12)
  --assets <n>        how many things have tags (2000)
  --once              end when the day is over, instead of serving until Ctrl-C
  --report <form>     table or json (table)
  --url <address>     a service that is running; otherwise the one at http://localhost:3000 (PORT), or a new one
  --mqtt <address>    its door for readers (port 1883, or MQTT_PORT, of the same host)
  --email <address>   an administrator of that service, if nobody can sign up there
  --password <text>   their password
  --help              this text`;

/**
 * What the arguments ask for; undefined for help.
 *
 * @throws DemoError for arguments that make no sense
 */
export function readOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const { email, password, report, url, mqtt } = values;
  if ((email === undefined) !== (password === undefined)) throw bad('--email and --password go together');
  if (report !== 'table' && report !== 'json') throw bad('--report must be table or json');
  if (mqtt !== undefined && url === undefined) throw bad('--mqtt needs --url');
  const hours = number('hours', values.hours, { min: 0.1, max: hoursMax });
  return {
    seed: whole('seed', values.seed, { min: 0, max: 2 ** 32 - 1 }),
    speed:
      values.speed === 'max' ? Number.POSITIVE_INFINITY : number('speed', values.speed, { min: 0.1, max: speedMax }),
    dayMs: Math.round((hours * hourMs) / tickMs) * tickMs,
    assets: whole('assets', values.assets, { min: 20, max: assetsMax }),
    url: url && address('url', url, ['http:', 'https:']),
    mqttUrl: mqtt && address('mqtt', mqtt, ['mqtt:', 'mqtts:']),
    account: email !== undefined && password !== undefined ? { email, password } : undefined,
    report,
    once: values.once,
  };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        speed: { type: 'string', default: '60' },
        hours: { type: 'string', default: '12' },
        assets: { type: 'string', default: '2000' },
        once: { type: 'boolean', default: false },
        report: { type: 'string', default: 'table' },
        url: { type: 'string' },
        mqtt: { type: 'string' },
        email: { type: 'string' },
        password: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw bad((error as Error).message);
  }
}

type Bounds = { min: number; max: number };

function number(name: string, text: string, { min, max }: Bounds): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw bad(`--${name} must be a number from ${min} to ${max}, not "${text}"`);
}

function whole(name: string, text: string, { min, max }: Bounds): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw bad(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

function address(name: string, text: string, protocols: readonly string[]): string {
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw bad(
    `--${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
}

function bad(message: string): DemoError {
  return new DemoError(`${message}\n\n${usage}`);
}
