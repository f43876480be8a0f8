import { setTimeout as delay } from 'node:timers/promises';
import type { Service, Stops } from './service.js';
import { startEmbeddedDatabase } from './server/kernel/database/embedded.js';
import { watchDisk } from './server/operations/disk-watch.js';
import { createLog, type Log } from './server/kernel/log.js';
import { checkResources } from './server/kernel/resources.js';
import { readProcessSettings, type Settings, SettingsError } from './server/kernel/settings.js';
import { StartError } from './server/kernel/start-error.js';

const stopDeadlineMs = 10_000;
/** Every part has this much time, even if the previous parts have used up the deadline. */
const leastMs = 100;

type StartOptions = {
  readonly log: Log;
  readonly stops: Stops;
  /** Called if the embedded database is lost while the service runs. */
  readonly onLost: (error: unknown) => void;
};

/**
 * Starts the embedded database, unless another database is set. Loads the service meanwhile, which takes the same time.
 */
async function start(given: Settings, { log, stops, onLost }: StartOptions): Promise<Service> {
  checkResources(given, log);
  const loading = import('./service.js');
  // If the database does not start, nobody awaits it.
  loading.catch(() => {});
  if (given.databaseUrl !== undefined) {
    const { startService } = await loading;
    return startService({ settings: given, url: given.databaseUrl, log, stops });
  }
  const { dataDir, authSecret } = given;
  const embedded = await startEmbeddedDatabase({ dataDir, authSecret, log, onLost });
  stops.push({ what: 'the embedded database', stop: (deadline) => embedded.stop(deadline) });
  const { isLow, stop: endWatch } = watchDisk({ folder: dataDir, log });
  stops.push({ what: 'the watch of the disk', stop: async () => endWatch() });
  const settings = { ...given, authSecret: embedded.authSecret };
  const { startService } = await loading;
  return startService({ settings, url: embedded.url, log, stops, isDiskLow: isLow });
}

/**
 * Stops everything in reverse. A part that hangs is abandoned after its share of the deadline, so that there is time
 * for the next parts: reads that wait to be stored, and the embedded database, which would outlive this process.
 */
async function stop(stops: Stops, log: Log): Promise<void> {
  const deadline = Date.now() + stopDeadlineMs;
  for (const { what, stop: stopIt, timeoutMs } of stops.splice(0).reverse()) {
    const done = stopIt(deadline).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, `${what} did not stop as it should`);
        return true;
      },
    );
    const leftMs = Math.max(leastMs, deadline - Date.now());
    const inTime = await Promise.race([done, delay(Math.min(timeoutMs ?? leftMs, leftMs), false)]);
    if (!inTime) log.error(`${what} did not stop in time`);
  }
}

/** Returns whether an error is explained on standard error, which is for people, instead of in the log. */
function isForOperator(error: unknown): boolean {
  return error instanceof SettingsError || error instanceof StartError;
}

function explain(error: unknown, log: Log | undefined): void {
  if (error instanceof SettingsError) for (const line of error.lines) console.error(line);
  else if (error instanceof StartError) console.error(`Whereabouts cannot start: ${error.message}`);
  else if (log) log.fatal({ err: error }, 'the service failed, and stops');
  else console.error(error);
}

async function main(): Promise<void> {
  let log: Log | undefined;
  let service: Service | undefined;
  const stops: Stops = [];
  let ending: Promise<void> | undefined;
  /** Aborted by a second signal or a failure, which shortens an orderly stop. */
  const hurry = new AbortController();

  async function stopAll(delayMs: number): Promise<void> {
    if (service && delayMs > 0) {
      service.health.beginDraining();
      await delay(delayMs, undefined, { signal: hurry.signal }).catch(() => {});
    }
    if (log) await stop(stops, log);
  }

  function end(delayMs: number): Promise<void> {
    ending ??= stopAll(delayMs).then(() => process.exit(0));
    return ending;
  }

  /**
   * Only the first failure is reported, when it occurs and, since stopping can fail too, once more as the last line of the log; later
   * ones are consequences of stopping.
   */
  function fail(error: unknown): Promise<void> {
    hurry.abort();
    if (ending) return ending;
    explain(error, log);
    ending = endAfter(error);
    return ending;
  }

  async function endAfter(error: unknown): Promise<void> {
    await stopAll(0);
    if (!isForOperator(error)) log?.fatal({ err: error }, 'the service has ended');
    process.exit(1);
  }

  try {
    const settings = readProcessSettings();
    log = createLog(settings.logLevel);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (signal === 'SIGHUP' && service?.reloadCertificate) {
          service.reloadCertificate();
          return;
        }
        if (ending) {
          hurry.abort();
          return;
        }
        log?.info({ signal }, 'stopping');
        void end(signal === 'SIGTERM' ? (service?.settings.stopDelaySeconds ?? 0) * 1000 : 0);
      });
    }
    process.on('uncaughtException', (error) => void fail(error));
    service = await start(settings, { log, stops, onLost: (error) => void fail(error) });
    for (const line of await service.greeting()) console.error(line);
  } catch (error) {
    await fail(error);
  }
}

await main();
