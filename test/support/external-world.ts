import { connectAsync, type MqttClient } from 'mqtt';
import { expect } from 'vitest';
import type { IngestListener } from '../../ingest-broker/index.js';
import { createExternalBroker } from '../../ingest-broker/external/index.js';
import type { Log, ExternalBroker } from '../../server/index.js';
import { blocksOf, readProjectFile, sectionOf } from '../docs/markdown.js';
import type { Credentials } from './mqtt.js';
import { startMosquitto, type TestMosquitto } from './mosquitto.js';
import type { ScanWorld } from './scan-world.js';
import { pollOptions } from './poll-options.js';

export const ingestUser = 'whereabouts';
export const ingestPassword = 'the-service-itself';

/** Readers at a Mosquitto with the access rules of the documentation. */
export type ExternalWorld = AsyncDisposable & {
  readonly mosquitto: TestMosquitto;
  /** An ingest process of the world, as a client of Mosquitto, once it receives messages. */
  join(options?: JoinOptions): Promise<IngestListener>;
  /** A reader's own client. It never reconnects by itself. */
  connect(reader: Credentials): Promise<MqttClient>;
};

export type JoinOptions = Partial<ExternalBroker> & { log?: Log; core?: ScanWorld['core'] };

export type ExternalOptions = { readers: readonly Credentials[]; more?: readonly string[] };

export async function createExternalWorld(
  world: ScanWorld,
  { readers, more = [] }: ExternalOptions,
): Promise<ExternalWorld> {
  const accounts = readers.map(({ mqtt_username, mqtt_password }) => [mqtt_username, mqtt_password]);
  const mosquitto = await startMosquitto({
    accounts: { ...Object.fromEntries(accounts), [ingestUser]: ingestPassword },
    rules: documentedRules(),
    more,
  });
  const listeners: IngestListener[] = [];
  const clients: MqttClient[] = [];
  return {
    mosquitto,
    async join({ log = world.log, core = world.core, ...more } = {}) {
      const listener = createExternalBroker({ core, broker: { ...externalBroker(mosquitto.port), ...more }, log });
      listeners.push(listener);
      await listener.listen();
      await subscribed(listener);
      return listener;
    },
    async connect({ mqtt_username: username, mqtt_password: password }) {
      const address = `mqtt://127.0.0.1:${mosquitto.port}`;
      const client = await connectAsync(address, { username, password, reconnectPeriod: 0 });
      client.on('error', () => {});
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end(true);
      await Promise.all(listeners.map((listener) => listener.close()));
      await mosquitto[Symbol.asyncDispose]();
    },
  };
}

/** This process as a client of the broker on a port of this machine. */
export function externalBroker(port: number): ExternalBroker {
  return {
    host: '127.0.0.1',
    port,
    isTls: false,
    username: ingestUser,
    password: ingestPassword,
    clientId: 'ingest-1',
    group: 'whereabouts',
    onStop: 'stay',
    caFile: undefined,
  };
}

export async function subscribed(listener: IngestListener): Promise<void> {
  await expect.poll(() => listener.isListening(), pollOptions).toBe(true);
}

/** The access rules that the documentation gives for Mosquitto. */
function documentedRules(): string {
  const section = sectionOf(readProjectFile('docs', 'scaling.md'), 'An external broker');
  const rules = blocksOf(section, 'acl')[0];
  if (rules === undefined) throw new Error('the documentation has no access rules');
  return rules;
}
