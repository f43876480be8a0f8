/** Puts the parts of the service together. The process, its signals and the embedded database are in `main.ts`. */
import path from 'node:path';
import { createHealth, type Health } from './gateway/health.js';
import { createGateway } from './gateway/index.js';
import { createProbeServer } from './gateway/probe-server.js';
import { createIngestBroker, type IngestListener } from './ingest-broker/index.js';
import { createExternalBroker } from './ingest-broker/external/index.js';
import { openDatabase, type Database } from './server/kernel/database/client.js';
import { migrate } from './server/kernel/database/migrate.js';
import { isFirstRun } from './server/people/session/status.js';
import { type Core, createCore } from './server/index.js';
import type { Log } from './server/kernel/log.js';
import { projectRoot } from './server/kernel/project-root.js';
import type { SharedRedis } from './server/kernel/shared-redis.js';
import { dataLocation, type Settings } from './server/kernel/settings.js';
import { errorCode, StartError } from './server/kernel/start-error.js';

/** Connections for background work: imports, maintenance, learned levels. */
const backgroundConnections = 5;

/** The started parts, in order; `stop` goes through them in reverse. */
export type Stops = {
  readonly what: string;
  readonly stop: (deadline: number) => Promise<void>;
  /** How long to wait for this part before the next part is stopped; by default the time until the deadline. */
  readonly timeoutMs?: number;
}[];

/** A running service. */
export type Service = {
  readonly settings: Settings;
  readonly health: Health;
  /** Reads the certificate of the TLS port again, where there is one. */
  readonly reloadCertificate: (() => void) | undefined;
  /** Returns the addresses of the service and what to do first, as lines for people, not for the log. */
  greeting(): Promise<string[]>;
};

type Parts = {
  readonly settings: Settings;
  readonly db: Database;
  readonly port?: number;
  /** The address that readers connect to; undefined with an external broker. */
  readonly mqttUrl?: string | undefined;
  readonly probesPort?: number;
  readonly metricsPort?: number | undefined;
};

export type StartOptions = {
  readonly settings: Settings;
  /** The address of the database. */
  readonly url: string;
  readonly log: Log;
  /** Receives the parts that have been started, even if the start fails later. */
  readonly stops: Stops;
  /** Whether little space is left on the disk of the embedded database. */
  readonly isDiskLow?: (() => boolean) | undefined;
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

/** Connects to the Redis that processes share, if one is set. */
async function openRedis({ settings: { redisUrl }, log, stops }: StartOptions): Promise<SharedRedis | undefined> {
  if (redisUrl === undefined) return undefined;
  // Loaded only if it is used, since its library takes a twentieth of the time of a start.
  const { connectRedis } = await import('./server/kernel/redis.js');
  const redis = connectRedis({ url: redisUrl, log });
  stops.push({ what: 'the connections to Redis', stop: () => redis.stop(), timeoutMs: 500 });
  await redis.start();
  return redis;
}

const probeSettings = { probesPort: 'PROBES_PORT', metricsPort: 'METRICS_PORT' } as const;

/** Opens a port for health checks or metrics if it is set. Returns the port. */
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

/**
 * Migrates the database, then starts server and entry points in this order.
 *
 * @throws StartError with one line that says what to do
 */
export async function startService(options: StartOptions): Promise<Service> {
  const { settings, url, log, stops, isDiskLow } = options;
  await migrate({ url, log });
  const { db, close } = openDatabase({ url, poolSize: backgroundConnections, log });
  stops.push({ what: 'the database connections', stop: close, timeoutMs: 500 });

  const core = createCore({ db, databaseUrl: url, settings, log });
  stops.push({ what: 'the core', stop: () => core.stop(), timeoutMs: 3500 });
  await core.start();

  const { host, role } = settings;
  const redis = await openRedis(options);
  const broker = role === 'gateway' ? undefined : createIngestListener({ settings, core, log });
  let mqttUrl: string | undefined;
  if (broker) {
    stops.push({ what: 'the ingest broker', stop: () => broker.close(), timeoutMs: 2000 });
    const { port: mqttPort, tlsPort } = await listen(broker, 'MQTT_PORT', `${host}:${settings.mqttPort}`);
    const urls = [
      ...(mqttPort ? [`mqtt://${hostInAddress(host)}:${mqttPort}`] : []),
      ...(tlsPort === undefined ? [] : [`mqtts://${hostInAddress(host)}:${tlsPort}`]),
    ];
    if (urls.length > 0) mqttUrl = urls.join(' and ');
  }
  const reloadCertificate = broker?.reloadCertificate;
  const probes = {
    brokerListening: () => broker?.isListening() ?? true,
    isDiskLow,
    ...(broker && { brokerStats: () => broker.stats() }),
  };
  const health = createHealth({ core, settings, log, redis, probes });
  const metricsPort = await openProbes(settings, 'metricsPort', { handlers: health.metricsHandlers, stops });
  const parts = { settings, db, mqttUrl, metricsPort };
  const service = { settings, health, reloadCertificate };
  if (role === 'ingest-broker') {
    const probesPort = await openProbes(settings, 'probesPort', { handlers: health.handlers, stops });
    return { ...service, greeting: () => greetingOf(probesPort === undefined ? parts : { ...parts, probesPort }) };
  }
  const webFolder = path.join(projectRoot(), 'dist-web');
  const docsFolder = path.join(projectRoot(), 'dist-docs');
  const gateway = createGateway({ core, settings, log, redis, health, webFolder, docsFolder });
  stops.push({ what: 'the gateway', stop: () => gateway.close(), timeoutMs: 2000 });
  const { port } = await listen(gateway, 'PORT', `${host}:${settings.port}`);
  return { ...service, greeting: () => greetingOf({ ...parts, port }) };
}

/** Returns the host as the browser of this machine can use it in an address. */
function hostInAddress(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

async function greetingOf({ settings, db, port, mqttUrl, probesPort, metricsPort }: Parts): Promise<string[]> {
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
  lines.push(`Its data is in ${dataLocation(settings)}`);
  if (port !== undefined && (await isFirstRun(db))) {
    lines.push(`Nobody has an account yet. Open http://${host}:${port} to make the first one.`);
  }
  return lines;
}
