import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Core, Log, Settings, SharedRedis } from '../server/index.js';
import { createReaderBroker, type ReaderBroker } from './broker.js';

const closePatienceMs = 3000;
/** Readers that vanish without a word are noticed by TCP, if they asked for no keep-alive of MQTT. */
const tcpKeepAliveMs = 60_000;

export type BrokerStats = ReturnType<ReaderBroker['stats']> & {
  /** Messages that belong to no reader, where somebody else has let the readers in. */
  strayMessages?: number;
};

/** A way in for the messages of fixed readers. */
export interface IngestDoor {
  /** Opens the door, with a port where readers connect to it. Fails as the sockets do, with `EADDRINUSE` and the like. */
  listen(): Promise<{ port?: number }>;
  /** Takes in no more, acknowledges what gets stored in time, and ends all connections. */
  close(): Promise<void>;
  /** Whether messages can come in. */
  isListening(): boolean;
  stats(): BrokerStats;
}

/** The door that readers connect to themselves. */
export interface IngestBroker extends IngestDoor {
  /** The port is the one without TLS. */
  listen(): Promise<{ port: number; tlsPort?: number }>;
}

/** MQTT over TCP, and over TLS where a certificate is set. */
export function createIngestBroker({
  core,
  settings,
  log,
  redis,
}: {
  core: Core;
  settings: Settings;
  log: Log;
  redis?: SharedRedis | undefined;
}): IngestBroker {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let broker: ReaderBroker | undefined;

  function accept(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.setNoDelay(true);
    socket.setKeepAlive(true, tcpKeepAliveMs);
    if (broker) broker.handle(socket, socket.remoteAddress ?? '');
    else socket.destroy();
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
    await broker?.close(closePatienceMs);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    broker = undefined;
  }

  return {
    async listen() {
      try {
        broker = await createReaderBroker({ core, log, redis });
        const port = await open(createServer(accept), settings.mqttPort);
        if (!settings.mqttTls) return { port };
        const { port: wanted, certFile, keyFile } = settings.mqttTls;
        const server = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, accept);
        return { port, tlsPort: await open(server, wanted) };
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
