import { accessSync, constants, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createApi } from './api.js';
import { DemoError } from './demo-error.js';
import { nextSteps } from './next-steps.js';
import { type Options, readOptions, usage } from './options.js';
import { createOutput, type Output } from './output.js';
import { playDay, playOn } from './play.js';
import { type Environment, type Service, startService, usualAddresses, whatAnswers } from './service.js';
import { jsonOf, tableOf } from './summary.js';

export type DemoInput = {
  /** The folder of the checkout. */
  root: string;
  args: string[];
  /**
   * The environment variables, which can contain the address of a service; a service that the demo starts receives
   * them.
   */
  env: Environment;
};

/**
 * Runs `npm run demo`: finds or starts a service, plays the day, prints the result, and plays further days until
 * Ctrl-C. Resolves with the exit code once everything that was started has stopped.
 */
export async function runDemo({ root, args, env }: DemoInput): Promise<number> {
  const output = createOutput({ progress: process.stderr, results: process.stdout });
  const interrupted = new AbortController();
  // Ctrl-C in a terminal sends SIGINT, and npm sends it again.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  let service: Service | undefined;
  try {
    const options = readOptions(args);
    if (!options) {
      output.result(usage);
      return 0;
    }
    if (options.outputFile !== undefined) checkFolder(options.outputFile);
    service = await findService(options, { root, env, output, signal: interrupted.signal });
    const lost = service.ended?.then(() => {
      throw new DemoError('The service has stopped unexpectedly.');
    });
    // It also settles when the service is stopped below, after the race.
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

/** Throws DemoError if a file cannot be written, before the day is played. */
function checkFolder(file: string): void {
  const folder = path.dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new DemoError(`Nothing can be written to the folder ${folder}.`, { cause: error });
  }
}

type ServiceSearch = { root: string; env: Environment; output: Output; signal: AbortSignal };

async function findService(options: Options, { root, env, output, signal }: ServiceSearch): Promise<Service> {
  const usual = usualAddresses(env);
  if (options.url !== undefined) {
    if ((await whatAnswers(options.url)) !== 'whereabouts')
      throw new DemoError(`Whereabouts does not answer at ${options.url}.`);
    return { url: options.url, mqttUrl: options.mqttUrl ?? brokerOn(options.url, usual?.mqttUrl) };
  }
  if (usual) {
    const found = await whatAnswers(usual.url);
    if (found === 'whereabouts') {
      output.line(`A service answers at ${usual.url}: the day is played there.`);
      return usual;
    }
    if (found === 'another program') {
      throw new DemoError(`Another program answers at ${usual.url}: stop it, or set PORT to a free port.`);
    }
  }
  return startService({ root, env, output }, signal);
}

/** Returns the address of the MQTT broker on the host of a service. */
function brokerOn(url: string, usualMqttUrl = 'mqtt://localhost:1883'): string {
  return `mqtt://${new URL(url).hostname}:${new URL(usualMqttUrl).port}`;
}

type Performance = { service: Service; output: Output; signal: AbortSignal };

async function perform(options: Options, { service, output, signal }: Performance): Promise<void> {
  const { url, mqttUrl } = service;
  const context = { api: createApi(url, signal), mqttUrl, output, signal };
  const outcome = await playDay(options, context);
  const result = options.report === 'json' ? jsonOf(options, outcome) : tableOf(options, outcome);
  output.result(result);
  if (options.outputFile !== undefined) writeFileSync(options.outputFile, `${result}\n`);
  output.line(`\n${nextSteps(url, outcome)}`);
  if (!service.stop) return;
  if (!signal.aborted && !options.once) {
    output.line('\nThe day is over. Further days follow until Ctrl-C.');
    await playOn(options, context, outcome).catch((error: unknown) => {
      // Ctrl-C while readers connect.
      if (!signal.aborted) throw error;
    });
  }
  output.line('The service stops. The data stays: npm start shows it again.');
}
