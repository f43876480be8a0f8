import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { type Core, createAddressSet, type Log, type Settings } from '../server/index.js';
import { createReaderBroker, type ReaderBroker } from './broker.js';
import { createLogBudget } from './log-budget.js';
import { readProxyHeader } from './proxy-protocol/read-header.js';
import { limitUnauthenticated } from './unauthenticated-connections.js';

const closeTimeoutMs = 3000;
/** Detects readers that vanish without closing the connection and use no MQTT keep-alive. */
const tcpKeepAliveMs = 60_000;
const tlsHandshakeMs = 10_000;
/**
 * Equals the time that a client may take for its CONNECT, because a proxy without a header sends nothing before the
 * CONNECT.
 */
const proxyHeaderMs = 10_000;
/** An organization may have one connection for each reader of its quota, and at least this many. */
const connectionsPerOrganizationMin = 2000;

export type BrokerStats = ReturnType<ReaderBroker['stats']> & {
  /** Messages without a reader, if an external broker authenticates the readers. */
  strayMessages?: number;
};

/** Receives the messages of fixed readers. */
export type IngestListener = {
  /**
   * Starts listening; returns a port where readers connect to this process. Fails with the error of the socket, such as
   * `EADDRINUSE`.
   */
  listen(): Promise<{ port?: number; tlsPort?: number }>;
  /** Accepts no more messages, acknowledges those that get stored in time, and ends all connections. */
  close(): Promise<void>;
  /** Returns whether messages can be received. */
  isListening(): boolean;
  stats(): BrokerStats;
  /**
   * Reads the certificate and its key again, for new connections. Logs invalid files, and keeps the old ones. Missing
   * if this process has no certificate.
   */
  reloadCertificate?(): void;
};

/** The embedded broker, to which readers connect directly. */
export type IngestBroker = Omit<IngestListener, 'listen'> & {
  /** Returns the port without TLS, 0 where there is none. */
  listen(): Promise<{ port: number; tlsPort?: number }>;
};

/** Creates the MQTT broker over TCP, and over TLS if a certificate is set. */
export function createIngestBroker({
  core,
  settings,
  log,
}: {
  core: Core;
  settings: Settings;
  log: Log;
}): IngestBroker {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let broker: ReaderBroker | undefined;
  let tlsServer: TlsServer | undefined;

  const unauthenticated = limitUnauthenticated();
  const isProxy = createAddressSet(settings.trustedProxies);
  /** Addresses of clients that proxies have reported, by the names of their connections. */
  const reportedAddresses = new Map<string, string>();
  const mayLogCrowd = createLogBudget(1);
  const mayLogMalformed = createLogBudget(1);

  /** Admits or rejects every new connection, before TLS, and reads the headers of proxies. */
  function greet(socket: Socket, proceed: (socket: Socket) => void): void {
    const name = nameOf(socket);
    const { remoteAddress = '' } = socket;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      unauthenticated.forget(name);
      reportedAddresses.delete(name);
    });
    socket.on('error', () => {});
    if (!isProxy(remoteAddress)) {
      if (admit(name, socket, remoteAddress)) proceed(socket);
      return;
    }
    if (!admit(name, socket, undefined)) return;
    readProxyHeader({
      socket,
      timeoutMs: proxyHeaderMs,
      onHeader(address) {
        if (address !== undefined) {
          unauthenticated.forget(name);
          if (!admit(name, socket, address)) return;
          reportedAddresses.set(name, address);
        }
        proceed(socket);
      },
      onMalformed(reason) {
        const level = mayLogMalformed() ? 'warn' : 'debug';
        log[level]({ remoteAddress, reason }, 'a proxy sent a malformed PROXY protocol header');
      },
    });
  }

  function admit(name: string, socket: Socket, address: string | undefined): boolean {
    if (broker && unauthenticated.admit(name, socket, address)) return true;
    if (mayLogCrowd()) log.warn('connections are rejected: too many have not logged in');
    socket.destroy();
    return false;
  }

  function accept(socket: Socket): void {
    const name = nameOf(socket);
    socket.on('error', () => {});
    socket.setNoDelay(true);
    socket.setKeepAlive(true, tcpKeepAliveMs);
    broker?.handle(socket, {
      remoteAddress: reportedAddresses.get(name) ?? socket.remoteAddress ?? '',
      onIntroduced: () => unauthenticated.forget(name),
    });
  }

  async function open(server: Server, port: number): Promise<number> {
    server.on('error', (error) => log.error({ err: error }, 'the MQTT server failed'));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, settings.host, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  async function close(): Promise<void> {
    const closed = servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    await broker?.close(closeTimeoutMs);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    broker = undefined;
  }

  function reloadCertificate(files: MqttTls): void {
    try {
      tlsServer?.setSecureContext(readCertificate(files));
      log.info('the certificate for MQTT was read again');
    } catch (error) {
      log.error({ err: error }, 'the certificate for MQTT cannot be read again: the old one stays in use');
    }
  }

  const { mqttTls } = settings;
  return {
    ...(mqttTls && { reloadCertificate: () => reloadCertificate(mqttTls) }),
    async listen() {
      try {
        const connectionsPerOrganization = Math.max(connectionsPerOrganizationMin, settings.readersPerOrganization);
        broker = await createReaderBroker({ core, log, connectionsPerOrganization });
        const isPlain = settings.mqttPlain === 'on';
        const plain = () => createServer((socket) => greet(socket, accept));
        const port = isPlain ? await open(plain(), settings.mqttPort) : 0;
        core.noteBrokerPorts({ port: isPlain ? port : null });
        if (!settings.mqttTls) return { port };
        const options = { ...readCertificate(settings.mqttTls), handshakeTimeout: tlsHandshakeMs };
        const tls = createTlsServer(options, accept);
        tlsServer = tls;
        const encrypted = createServer((socket) => greet(socket, () => tls.emit('connection', socket)));
        const ports = { port, tlsPort: await open(encrypted, settings.mqttTls.port) };
        core.noteBrokerPorts({ ...ports, port: isPlain ? port : null });
        return ports;
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
    isListening: () => servers.length > 0 && servers.every((server) => server.listening),
    stats: () => broker?.stats() ?? { connections: 0, messagesUnderWay: 0, droppedMessages: 0 },
  };
}

type MqttTls = NonNullable<Settings['mqttTls']>;

function readCertificate({ certFile, keyFile }: MqttTls): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

/** Returns the same name for a connection and for its TLS socket. */
function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
