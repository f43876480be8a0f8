import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { DemoError } from './demo-error.js';
import type { Output } from './output.js';

/** Where a service answers; neither address ends in a slash. */
export type Addresses = { url: string; mqttUrl: string };

export type Service = Addresses & {
  /** Only of one that was started here: stops it, its database too. */
  stop?: () => Promise<void>;
  /** Only of one that was started here: settles when it ends by itself. */
  ended?: Promise<void>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const lastLineOfGreeting = /^Its data is in /;
/** The greeting's advice to sign up, which is done here. */
const advice = /^(?:Nobody has an account yet|  curl )/;

/** Whether a service of ours answers at an address, nobody does, or something else. */
export async function whoAnswers(url: string): Promise<'whereabouts' | 'nobody' | 'somebody else'> {
  let response: Response;
  try {
    response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
  } catch {
    return 'nobody';
  }
  const answer = (await response.json().catch(() => undefined)) as { checks?: unknown } | undefined;
  return typeof answer?.checks === 'object' ? 'whereabouts' : 'somebody else';
}

/** The addresses at which `npm start` serves with this environment; undefined where the system is to choose its ports. */
export function usualAddresses(env: Environment): Addresses | undefined {
  const port = env['PORT']?.trim() || '3000';
  const mqttPort = env['MQTT_PORT']?.trim() || '1883';
  if (port === '0' || mqttPort === '0') return undefined;
  return { url: `http://localhost:${port}`, mqttUrl: `mqtt://localhost:${mqttPort}` };
}

/**
 * Starts the service as `npm start` does, on the same data, but lets everybody sign up: each run has an organisation of its
 * own. It is out of reach of Ctrl-C, so that it can be stopped last, and stops when this process ends in whatever way.
 *
 * @throws DemoError if it does not start; it has then said why
 */
export async function startService(
  { root, env, output }: { root: string; env: Environment; output: Output },
  signal: AbortSignal,
): Promise<Service> {
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'start.mjs')], {
    env: {
      ...env,
      SIGN_UP: 'open',
      LOG_LEVEL: env['LOG_LEVEL'] || 'warn',
      // With it the script watches this process.
      npm_lifecycle_event: 'start',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const giveUp = () => child.kill('SIGTERM');
  signal.addEventListener('abort', giveUp, { once: true });
  eachLine(child.stdout, output.line);
  const greeting = await greetingOf(child, output);
  signal.removeEventListener('abort', giveUp);
  if (greeting === undefined) throw new DemoError('The service did not start.');
  const addresses = { url: addressIn(greeting, 'http'), mqttUrl: addressIn(greeting, 'mqtt') };
  return { ...addresses, stop, ended };
}

/** What it tells people when it is up; undefined if it ends before. */
function greetingOf(child: ChildProcess, output: Output): Promise<string | undefined> {
  return new Promise((resolve) => {
    let told = '';
    child.once('close', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
    eachLine(child.stderr, (line) => {
      if (!advice.test(line)) output.line(line);
      told += `${line}\n`;
      if (lastLineOfGreeting.test(line)) resolve(told);
    });
  });
}

function eachLine(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

function addressIn(greeting: string, scheme: 'http' | 'mqtt'): string {
  const found = new RegExp(`${scheme}://[^ \\n]+:\\d+`).exec(greeting)?.[0];
  if (found === undefined) throw new DemoError(`The service has no ${scheme} door: the demo needs both.`);
  return found;
}
