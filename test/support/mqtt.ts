import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { createIngestBroker, type IngestBroker } from '../../ingest-broker/index.js';
import { createScanWorld, type ScanWorld, type ScanWorldOptions, sharedScanWorld } from './scan-world.js';
import { shareInWorker } from './shared.js';

/** The core with the ingest broker, over real TCP. */
export type BrokerWorld = ScanWorld & {
  readonly broker: IngestBroker;
  readonly port: number;
  /** Connects with a reader's own user name and password by default. Never reconnects by itself. */
  connect(reader: Credentials, options?: IClientOptions): Promise<MqttClient>;
};

export type Credentials = { mqtt_username: string; mqtt_password: string };

const sharedBroker = shareInWorker(async () => addBroker(await sharedScanWorld()));

/**
 * The shared scan world with a broker that the test files of a worker share. Disposing of it ends the connections that were made with
 * this call. A test that counts all connections, or closes the broker, creates a world.
 */
export async function sharedBrokerWorld(): Promise<BrokerWorld> {
  const world = await sharedBroker();
  return { ...world, ...createConnector(world.port) };
}

export async function createBrokerWorld(options: ScanWorldOptions = {}): Promise<BrokerWorld> {
  return addBroker(await createScanWorld(options));
}

async function addBroker(world: ScanWorld): Promise<BrokerWorld> {
  const broker = createIngestBroker({ core: world.core, settings: world.settings, log: world.log });
  const { port } = await broker.listen();
  const connector = createConnector(port);
  return {
    ...world,
    broker,
    port,
    connect: connector.connect,
    async [Symbol.asyncDispose]() {
      await connector[Symbol.asyncDispose]();
      await broker.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Connects readers; disposing of it ends their connections. */
function createConnector(port: number): Pick<BrokerWorld, 'connect'> & AsyncDisposable {
  const clients: MqttClient[] = [];
  return {
    async connect({ mqtt_username: username, mqtt_password: password }, more = {}) {
      const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
        username,
        password,
        reconnectPeriod: 0,
        ...more,
      });
      client.on('error', () => {});
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end(true);
    },
  };
}

/** The user name and password of a reader. */
export const identity = ({ mqtt_username: username, mqtt_password: password }: Credentials) => ({ username, password });

/** A message of the native format with a read of each tag value. */
export const native = (...values: string[]) => JSON.stringify({ reads: values.map((value) => ({ value })) });

/** Resolves when the connection has ended, from either side. */
export async function closed(client: MqttClient): Promise<void> {
  if (client.connected) await new Promise<void>((resolve) => client.once('close', resolve));
}

/** A CS463's message in the device's own form. */
export function cs463(epcs: readonly string[], { atMs = Date.now(), antenna = 1 } = {}): string {
  return JSON.stringify({
    sequenceNumber: 0,
    rfidReaderName: 'r1',
    numberOfTags: epcs.length,
    tags: epcs.map((epc) => ({
      epc,
      timeStampOfRead: atMs * 1000,
      timeZone: '-6:00',
      antennaPort: antenna,
      capturePointName: 'r1-1',
      rssi: '-56',
    })),
  });
}
