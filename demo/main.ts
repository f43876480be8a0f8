import { createApi } from './api.js';
import { DemoError } from './demo-error.js';
import { lookAround } from './farewell.js';
import { type Options, readOptions, usage } from './options.js';
import { createOutput, type Output } from './output.js';
import { playDay } from './play.js';
import { type Environment, type Service, startService, usualAddresses, whoAnswers } from './service.js';
import { jsonOf, tableOf } from './summary.js';

export type Setting = {
  /** The folder of the checkout. */
  root: string;
  args: string[];
  /** What says where a service is, and what one that is started here is told. */
  env: Environment;
};

/**
 * `npm run demo`: finds a service or starts one, plays the day, tells what it has shown, and serves on until Ctrl-C.
 * Resolves with the exit code, when all that was started has stopped.
 */
export async function runDemo({ root, args, env }: Setting): Promise<number> {
  const output = createOutput({ progress: process.stderr, results: process.stdout });
  const interrupted = new AbortController();
  // A terminal's Ctrl-C arrives here, and once more from npm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  let service: Service | undefined;
  try {
    const options = readOptions(args);
    if (!options) {
      output.result(usage);
      return 0;
    }
    service = await findService(options, { root, env, output, signal: interrupted.signal });
    const lost = service.ended?.then(() => {
      throw new DemoError('The service has stopped by itself.');
    });
    // The service also ends when it is stopped here, and then nobody waits for this any more.
    lost?.catch(() => {});
    await Promise.race([perform(options, { service, output, signal: interrupted.signal }), ...(lost ? [lost] : [])]);
    return 0;
  } catch (error) {
    if (interrupted.signal.aborted) {
      output.line('Stopped before the day began.');
      return 0;
    }
    output.line(error instanceof DemoError ? error.message : String((error as Error).stack ?? error));
    return 1;
  } finally {
    await service?.stop?.();
  }
}

type Surroundings = { root: string; env: Environment; output: Output; signal: AbortSignal };

async function findService(options: Options, { root, env, output, signal }: Surroundings): Promise<Service> {
  const usual = usualAddresses(env);
  if (options.url !== undefined) {
    if ((await whoAnswers(options.url)) !== 'whereabouts')
      throw new DemoError(`Whereabouts does not answer at ${options.url}.`);
    return { url: options.url, mqttUrl: options.mqttUrl ?? mqttBeside(options.url, usual?.mqttUrl) };
  }
  if (usual) {
    const who = await whoAnswers(usual.url);
    if (who === 'whereabouts') {
      output.line(`A service answers at ${usual.url}: the day is played there.`);
      return usual;
    }
    if (who === 'somebody else') {
      throw new DemoError(`Another program answers at ${usual.url}: stop it, or set PORT to a free port.`);
    }
  }
  return startService({ root, env, output }, signal);
}

/** The door for readers on the same host as the other one. */
function mqttBeside(url: string, usualMqttUrl = 'mqtt://localhost:1883'): string {
  return `mqtt://${new URL(url).hostname}:${new URL(usualMqttUrl).port}`;
}

type Performance = { service: Service; output: Output; signal: AbortSignal };

async function perform(options: Options, { service, output, signal }: Performance): Promise<void> {
  const { url, mqttUrl } = service;
  const outcome = await playDay(options, { api: createApi(url, signal), mqttUrl, output, signal });
  output.result(options.report === 'json' ? jsonOf(options, outcome) : tableOf(options, outcome));
  output.line(`\n${lookAround(url, outcome)}`);
  if (!service.stop) return;
  if (!signal.aborted && !options.once) {
    output.line('\nThe day is over. The service goes on until Ctrl-C.');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  output.line('The service stops. The data stays: npm start shows it again.');
}
