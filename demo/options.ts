import path from 'node:path';
import { parseArgs } from 'node:util';
import { DemoError } from './demo-error.js';
import { type LocationRule, locationRules } from './error-cause.js';
import { tickMs } from './radio.js';
import { hourMs } from './shifts.js';

export type Options = {
  seed: number;
  /** Simulated milliseconds per real millisecond; Infinity for as fast as the service acknowledges. */
  speed: number;
  /** Length of the day: a whole number of steps. */
  dayMs: number;
  assets: number;
  /** The rule of all readers; undefined for the service's default. */
  locationRule: LocationRule | undefined;
  /** A running service; undefined to look for one, and to start one if there is none. */
  url: string | undefined;
  mqttUrl: string | undefined;
  /** An existing administrator, for a service that does not allow anyone to sign up. */
  account: { email: string; password: string } | undefined;
  report: 'table' | 'json';
  /** Absolute path of a file to which the result is written too. */
  outputFile: string | undefined;
  /** Whether to end when the day is over instead of playing further days. */
  once: boolean;
};

/** At a higher speed, the visits of forklifts end before they count. */
export const usualSpeed = 12;
const speedMax = 10_000;
const hoursMax = 168;
const assetsMax = 50_000;

export const usage = `npm run demo -- [options]

Creates an organization with 40 locations, 2,000 assets and 12 readers, plays a day in which assets move and readers publish
in their own formats over MQTT, and prints how often the service reports the true location. Ctrl-C ends it; the data stays.

  --seed <n>              the same number gives the same day (1)
  --speed <n>             how many times faster than real time; "max" for as fast as the service acknowledges (${usualSpeed})
  --hours <n>             length of the day, which begins at six in the morning (12)
  --assets <n>            number of assets (2000)
  --location-rule <rule>  evidence or newest: how the readers decide where an asset is (the service's default)
  --once                  end when the day is over instead of playing further days until Ctrl-C
  --report <form>         table or json (table)
  --output <file>         write the result to a file too
  --url <address>         a running service; otherwise the one at http://localhost:3000 (PORT), or a new one
  --mqtt <address>        its MQTT broker (port 1883, or MQTT_PORT, of the same host)
  --email <address>       an administrator of that service, if it does not allow anyone to sign up
  --password <text>       the administrator's password
  --help                  this text`;

/**
 * Parses the arguments; undefined if they ask for help.
 *
 * @throws DemoError for unknown options and invalid values
 */
export function readOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const { email, password, report, url, mqtt, output } = values;
  const locationRule = values['location-rule'];
  if ((email === undefined) !== (password === undefined)) throw bad('--email and --password go together');
  if (report !== 'table' && report !== 'json') throw bad('--report must be table or json');
  if (locationRule !== undefined && !isLocationRule(locationRule)) {
    throw bad('--location-rule must be evidence or newest');
  }
  if (output === '') throw bad('--output needs the name of a file');
  if (mqtt !== undefined && url === undefined) throw bad('--mqtt needs --url');
  const hours = number('hours', values.hours, { min: 0.1, max: hoursMax });
  return {
    seed: whole('seed', values.seed, { min: 0, max: 2 ** 32 - 1 }),
    speed:
      values.speed === 'max' ? Number.POSITIVE_INFINITY : number('speed', values.speed, { min: 0.1, max: speedMax }),
    dayMs: Math.round((hours * hourMs) / tickMs) * tickMs,
    assets: whole('assets', values.assets, { min: 20, max: assetsMax }),
    locationRule,
    url: url && address('url', url, ['http:', 'https:']),
    mqttUrl: mqtt && address('mqtt', mqtt, ['mqtt:', 'mqtts:']),
    account: email !== undefined && password !== undefined ? { email, password } : undefined,
    report,
    outputFile: output && path.resolve(output),
    once: values.once,
  };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        speed: { type: 'string', default: String(usualSpeed) },
        hours: { type: 'string', default: '12' },
        assets: { type: 'string', default: '2000' },
        once: { type: 'boolean', default: false },
        'location-rule': { type: 'string' },
        output: { type: 'string' },
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

function isLocationRule(text: string): text is LocationRule {
  return (locationRules as readonly string[]).includes(text);
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
