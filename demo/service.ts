import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { DemoError } from './demo-error.js';
import type { Output } from './output.js';

/** The addresses of a service, without a slash at the end. */
export type Addresses = { url: string; mqttUrl: string };

export type Service = Addresses & {
  /** Stops the service and its database; only of a service that the demo started. */
  stop?: () => Promise<void>;
  /** Settles when the service has ended; only of a service that the demo started. */
  ended?: Promise<void>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const lastLineOfGreeting = /^Its data is in /;
/** The service's advice to sign up, which the demo does itself. */
const advice = /^(?:Nobody has an account yet|  curl )/;

/** Finds out whether Whereabouts, another program or nothing answers at an address. */
export async function whatAnswers(url: string): Promise<'whereabouts' | 'another program' | 'none'> {
  let response: Response;
  try {
    response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
  } catch {
    return 'none';
  }
  const answer = (await response.json().catch(() => undefined)) as { checks?: unknown } | undefined;
  return typeof answer?.checks === 'object' ? 'whereabouts' : 'another program';
}

/** Returns the addresses at which `npm start` serves with this environment; undefined if the system chooses the ports. */
export function usualAddresses(env: Environment): Addresses | undefined {
  const port = env['PORT']?.trim() || '3000';
  const mqttPort = env['MQTT_PORT']?.trim() || '1883';
  if (port === '0' || mqttPort === '0') return undefined;
  return { url: `http://localhost:${port}`, mqttUrl: `mqtt://localhost:${mqttPort}` };
}

/**
 * Starts the service as `npm start` does, on the same data, but allows anyone to sign up: each run of the demo creates an
 * organization of its own. Ctrl-C does not reach the service, so that it can be stopped last; it stops when this process
 * ends for any reason.
 *
 * @throws DemoError if it does not start; its output then says why
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
      // Makes the script end together with this process.
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

/** Returns what the service prints when it is ready; undefined if it ends before. */
function greetingOf(child: ChildProcess, output: Output): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    child.once('close', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
    eachLine(child.stderr, (line) => {
      if (!advice.test(line)) output.line(line);
      text += `${line}\n`;
      if (lastLineOfGreeting.test(line)) resolve(text);
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
  if (found === undefined) throw new DemoError(`The service does not serve ${scheme}: the demo needs HTTP and MQTT.`);
  return found;
}
