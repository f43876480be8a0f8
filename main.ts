import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createHealth, type Health } from './gateway/health.js';
import { createGateway } from './gateway/index.js';
import { createProbeServer } from './gateway/probe-server.js';
import { createIngestBroker, type IngestListener } from './ingest-broker/index.js';
import { createExternalBroker } from './ingest-broker/external/index.js';
import { createDatabase, type Database } from './server/database/client.js';
import { startEmbeddedDatabase } from './server/database/embedded.js';
import { migrate } from './server/database/migrate.js';
import { type DiskWatch, watchDisk } from './server/disk-watch.js';
import { type Core, createCore } from './server/index.js';
import { claimIdRanges } from './server/moves/cell-number.js';
import { createLog, type Log } from './server/log.js';
import { projectRoot } from './server/project-root.js';
import type { SharedRedis } from './server/shared-redis.js';
import { checkResources } from './server/resources.js';
import { readProcessSettings, type Settings, SettingsError } from './server/settings.js';
import { errorCode, StartError } from './server/start-error.js';

const stopDeadlineMs = 10_000;
/** Every part has this much time, even if those before it have used all of it. */
const leastMs = 100;

/** Connections for background work: imports, maintenance, learned levels. */
const backgroundConnections = 5;

/** The started parts, in order; `stop` goes through them in reverse. */
type Stops = {
  readonly what: string;
  readonly stop: (deadline: number) => Promise<void>;
  /** How long to wait for this part before the next one is stopped; what is left until the deadline by default. */
  readonly timeoutMs?: number;
}[];

type Service = {
  readonly settings: Settings;
  readonly db: Database;
  readonly port?: number;
  /** The address that readers connect to; undefined with an external broker. */
  readonly mqttUrl?: string | undefined;
  readonly probesPort?: number;
  readonly metricsPort?: number | undefined;
  readonly health: Health;
  /** The address for TLS connections of readers to this process. */
  readonly reloadCertificate?: (() => void) | undefined;
};

/** Starts one entry point, or throws an error with one line that says why it cannot start. */
async function listen<Opened>(entryPoint: { listen(): Promise<Opened> }, setting: string, at: string): Promise<Opened> {
  try {
    return await entryPoint.listen();
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `${at} is taken by another program: stop it, or set ${setting} to a free port`,
      EACCES: `${at} may not be used by this user: set ${setting} to a port above 1023`,
      EADDRNOTAVAIL: `${at} is not an address of this machine: set HOST to one of its own`,
      ENOTFOUND: `${at} is not an address of this machine: set HOST to one of its own`,
    };
    const reason = reasons[errorCode(error) ?? ''];
    throw reason === undefined ? error : new StartError(reason, { cause: error });
  }
}

type ListenerOptions = { settings: Settings; core: Core; log: Log };

/** Creates the entry point of readers: a broker in this process, or a client of an external one. */
function createIngestListener({ settings, core, log }: ListenerOptions): IngestListener {
  const { externalBroker: broker } = settings;
  return broker ? createExternalBroker({ core, broker, log }) : createIngestBroker({ core, settings, log });
}

type StartOptions = {
  readonly log: Log;
  readonly stops: Stops;
  /** Called if the embedded database is lost while the service runs. */
  readonly onLost: (error: unknown) => void;
};

/** Connects to the Redis that processes share, if one is set. */
async function openRedis({ redisUrl }: Settings, { log, stops }: StartOptions): Promise<SharedRedis | undefined> {
  if (redisUrl === undefined) return undefined;
  // Loaded only where it is used: its library takes a twentieth of the time of a start.
  const { connectRedis } = await import('./server/redis.js');
  const redis = connectRedis({ url: redisUrl, log });
  stops.push({ what: 'the connections to Redis', stop: () => redis.stop(), timeoutMs: 500 });
  await redis.start();
  return redis;
}

const probeSettings = { probesPort: 'PROBES_PORT', metricsPort: 'METRICS_PORT' } as const;

/** Opens a port for health checks or metrics where the setting is set. Returns the port. */
async function openProbes(
  settings: Settings,
  which: keyof typeof probeSettings,
  { handlers, stops }: Pick<Health, 'handlers'> & { stops: Stops },
): Promise<number | undefined> {
  const { host, [which]: port } = settings;
  if (port === undefined) return undefined;
  const server = createProbeServer({ host, port, handlers });
  stops.push({ what: probeSettings[which], stop: () => server.close(), timeoutMs: 500 });
  return (await listen(server, probeSettings[which], `${host}:${port}`)).port;
}

/** Starts settings, database, server and entry points in this order, and records how to stop each. */
async function start(given: Settings, options: StartOptions): Promise<Service> {
  const { log, stops, onLost } = options;
  let settings = given;
  checkResources(settings, log);
  let url = settings.databaseUrl;
  let disk: DiskWatch | undefined;
  if (url === undefined) {
    const { dataDir, authSecret } = settings;
    const embedded = await startEmbeddedDatabase({ dataDir, authSecret, log, onLost });
    stops.push({ what: 'the embedded database', stop: (deadline) => embedded.stop(deadline) });
    url = embedded.url;
    const watch = watchDisk({ folder: dataDir, log });
    stops.push({ what: 'the watch of the disk', stop: async () => watch.stop() });
    disk = watch;
    settings = { ...settings, authSecret: embedded.authSecret };
  }
  await migrate({ url, log });
  if (settings.cellNumber !== undefined) await claimIdRanges({ url, cellNumber: settings.cellNumber });
  const db = createDatabase({ url, poolSize: backgroundConnections, log });
  stops.push({ what: 'the database connections', stop: () => db.$disconnect(), timeoutMs: 500 });

  const core = createCore({ db, databaseUrl: url, settings, log });
  stops.push({ what: 'the core', stop: () => core.stop(), timeoutMs: 3500 });
  await core.start();

  const { host, role } = settings;
  const redis = await openRedis(settings, options);
  const broker = role === 'gateway' ? undefined : createIngestListener({ settings, core, log });
  let mqttUrl: string | undefined;
  if (broker) {
    stops.push({ what: 'the ingest broker', stop: () => broker.close(), timeoutMs: 2000 });
    const { port: mqttPort, tlsPort } = await listen(broker, 'MQTT_PORT', `${host}:${settings.mqttPort}`);
    if (mqttPort) mqttUrl = `mqtt://${hostInAddress(host)}:${mqttPort}`;
    else if (tlsPort !== undefined) mqttUrl = `mqtts://${hostInAddress(host)}:${tlsPort}`;
  }
  const reloadCertificate = broker?.reloadCertificate;
  const probes = {
    brokerListening: () => broker?.isListening() ?? true,
    isDiskLow: disk?.isLow,
    ...(broker && { brokerStats: () => broker.stats() }),
  };
  const health = createHealth({ core, settings, log, redis, probes });
  const metricsPort = await openProbes(settings, 'metricsPort', { handlers: health.metricsHandlers, stops });
  const service = { settings, db, mqttUrl, metricsPort, health, reloadCertificate };
  if (role === 'ingest-broker') {
    const probesPort = await openProbes(settings, 'probesPort', { handlers: health.handlers, stops });
    return { ...service, ...(probesPort !== undefined && { probesPort }) };
  }
  const webFolder = path.join(projectRoot(), 'dist-web');
  const docsFolder = path.join(projectRoot(), 'dist-docs');
  const gateway = createGateway({ core, settings, log, redis, health, webFolder, docsFolder });
  stops.push({ what: 'the gateway', stop: () => gateway.close(), timeoutMs: 2000 });
  const { port } = await listen(gateway, 'PORT', `${host}:${settings.port}`);
  return { ...service, port };
}

/**
 * Stops everything in reverse. A part that hangs is abandoned after its share of the deadline, so that there is time
 * for the next ones: reads that wait to be stored, and the embedded database, which would outlive this process.
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

/** Returns the host as the browser of this machine can use it in an address. */
function hostInAddress(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Returns the address of the service, the folder of its data, and what to do first: for people, so not among the log
 * lines.
 */
async function greeting({ settings, db, port, mqttUrl, probesPort, metricsPort }: Service): Promise<string[]> {
  const lines: string[] = [];
  const host = hostInAddress(settings.host);
  if (port !== undefined) lines.push(`Whereabouts is at http://${host}:${port} (its API: /api/docs)`);
  if (probesPort !== undefined) {
    lines.push(`Health${metricsPort === undefined ? ' and metrics are' : ' is'} at http://${host}:${probesPort}`);
  }
  if (metricsPort !== undefined) lines.push(`Metrics are at http://${host}:${metricsPort}/metrics`);
  if (mqttUrl !== undefined) lines.push(`Readers publish to ${mqttUrl}`);
  const { externalBroker, role } = settings;
  if (externalBroker && role !== 'gateway') {
    lines.push(`Readers publish to the MQTT broker at ${hostInAddress(externalBroker.host)}:${externalBroker.port}`);
  }
  lines.push(
    settings.databaseUrl === undefined
      ? `Its data is in ${settings.dataDir}`
      : `Its data is in the database ${new URL(settings.databaseUrl).host}${new URL(settings.databaseUrl).pathname}`,
  );
  if (port !== undefined && (await db.user.findFirst({ select: { id: true } })) === null) {
    lines.push(`Nobody has an account yet. Open http://${host}:${port} to make the first one.`);
  }
  return lines;
}

function explain(error: unknown, log: Log | undefined): void {
  if (error instanceof SettingsError) for (const line of error.lines) console.error(line);
  else if (error instanceof StartError) console.error(`Whereabouts cannot start: ${error.message}`);
  else if (log) log.fatal({ err: error }, 'the service failed');
  else console.error(error);
}

async function main(): Promise<void> {
  let log: Log | undefined;
  let service: Service | undefined;
  const stops: Stops = [];
  let ending: Promise<void> | undefined;
  /** Ends the delay of an orderly stop: a second signal, or a failure. */
  const hurry = new AbortController();

  async function stopAll(delayMs: number): Promise<void> {
    if (service && delayMs > 0) {
      service.health.beginDraining();
      await delay(delayMs, undefined, { signal: hurry.signal }).catch(() => {});
    }
    if (log) await stop(stops, log);
  }

  function end(exitCode: number, delayMs = 0): Promise<void> {
    ending ??= stopAll(delayMs).then(() => process.exit(exitCode));
    return ending;
  }

  /** Only the first failure is reported; later ones are consequences of stopping. */
  function fail(error: unknown): Promise<void> {
    if (!ending) explain(error, log);
    hurry.abort();
    return end(1);
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
        void end(0, signal === 'SIGTERM' ? (service?.settings.stopDelaySeconds ?? 0) * 1000 : 0);
      });
    }
    process.on('uncaughtException', (error) => void fail(error));
    service = await start(settings, { log, stops, onLost: (error) => void fail(error) });
    for (const line of await greeting(service)) console.error(line);
  } catch (error) {
    await fail(error);
  }
}

await main();
