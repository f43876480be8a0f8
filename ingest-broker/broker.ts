import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { Aedes, type AuthenticateError, type Client, type PublishPacket, type Subscription } from 'aedes';
import type { Core, Log } from '../server/index.js';
import { createAdmission, RefusedLoginError } from './admission.js';
import {
  forgetSubscriptions,
  ignoreUnexpectedAcknowledgements,
  passOnOwnMessagesAlone,
  persistenceOf,
  writePacketIdentifiersWithoutCache,
} from './aedes-internals.js';
import { returnCodes } from './connect-faults.js';
import { type Connection, type ConnectionOptions, createConnection } from './connection.js';
import { createFlow } from './flow.js';
import { createExactlyOnce, TooManyUnreleasedError } from './qos2.js';
import { createReceiver, ForbiddenTopicError, payloadBytesMax } from './receive.js';
import { createRejections } from './rejections.js';
import { createRegistry } from './registry.js';
import { maySubscribe } from './topics.js';
import { createTakeovers } from './takeovers.js';
import { createUnfinishedPackets } from './unfinished-packets.js';
import { reasonCodes } from './wire/mqtt5/reason-codes.js';

const connectTimeoutMs = 10_000;
/** Disables the limit of Aedes. The admission limits the client id before it adds the user name as prefix. */
const clientIdLengthMax = 200_000;
/** Disables the limit of Aedes. Messages in flight are counted for each reader and organization. */
const inflightMax = 0;
/** The most that MQTT adds to a payload: a topic with its length, and a packet identifier. */
const aroundPayloadBytes = 65_535 + 4;
const nothing = Buffer.alloc(0);

export type ReaderBrokerOptions = {
  core: Core;
  log: Log;
  /** Connections of authenticated readers of one organization, at most. */
  connectionsPerOrganization: number;
};

/**
 * Creates an Aedes broker that passes what readers publish to the server, and acknowledges it when it is stored.
 * Nothing is passed on from one client to another, and nothing is retained.
 */
export async function createReaderBroker({ core, log, connectionsPerOrganization }: ReaderBrokerOptions) {
  const connections = new WeakMap<Client, Connection>();
  const wills = new WeakSet<object>();
  const flow = createFlow();
  const unfinishedPackets = createUnfinishedPackets();
  const reject = createRejections({ core, log, payloadBytesMax });
  const registry = createRegistry({ core, log, connectionsPerOrganization });
  const admission = createAdmission({ core, log });
  const takeovers = createTakeovers(core);
  const exactlyOnce = createExactlyOnce();
  const receiver = createReceiver({ core, log });
  let droppedMessages = 0;
  let isStopping = false;

  const logIn = callbackify(async (client: Client, password: Uint8Array | undefined): Promise<boolean> => {
    const connection = connections.get(client);
    if (!connection) return false;
    const login = await admission.admit(connection, password);
    if (client.conn.destroyed) return false; // The end of a destroyed connection would never be reported.
    connection.login = login;
    connection.flow.join(login);
    connection.unfinished.join(login);
    takeovers.connected(connection, login);
    registry.add(connection, login);
    exactlyOnce.begin(client, login);
    client.conn.once('close', () => exactlyOnce.end(client));
    log.debug({ readerId: login.readerId, remoteAddress: connection.remoteAddress }, 'a reader logged in');
    return true;
  });

  /** Calls back when a publish is stored, and may be acknowledged. */
  const take = callbackify(publish);

  writePacketIdentifiersWithoutCache();
  const aedes = new Aedes({
    connectTimeout: connectTimeoutMs,
    maxInflightInbound: inflightMax,
    maxClientsIdLength: clientIdLengthMax,
    preConnect(client, packet, callback) {
      const connection = connections.get(client);
      if (!connection || isStopping) return callback(new Error('the service is stopping'), false);
      if (packet.will) wills.add(packet.will);
      admission.prepare(connection, packet);
      packet.clean = true; // Nothing is kept of a connection that has ended, as nothing is ever published to a reader.
      connection.onIntroduced();
      connection.keepAlive.start(packet.keepalive ?? 0);
      packet.keepalive = 0; // Aedes would also count the time during which the socket is not read.
      callback(null, true);
    },
    authenticate(client, ...[, password, callback]) {
      logIn(client, password, (error, success) => {
        // After CONNACK 3, common clients never try again; after the end of their connection they do.
        if (isUnavailable(error) && !connections.get(client)?.intake.isMqtt5()) client.conn.destroy();
        // Every rejection has the return code that Aedes requires.
        else callback(error as AuthenticateError | null, success);
      });
    },
    authorizePublish(client, packet, callback) {
      packet.retain = false;
      // Wills of a process that has ended come without a client. They only report that a reader has disconnected, which
      // is known anyway.
      if (!client) return callback(null);
      take(client, packet, (error) => {
        const intake = wills.has(packet) ? undefined : connections.get(client)?.intake;
        const { messageId } = packet;
        if (error instanceof ForbiddenTopicError && messageId !== undefined && intake?.refuse(messageId)) {
          exactlyOnce.refuse(packet);
          return callback(null);
        }
        if (error) intake?.announceEnd(reasonOf(error));
        callback(error);
      });
    },
    authorizeSubscribe(client, subscription, callback) {
      callback(null, isAllowed(client, subscription) ? subscription : null);
    },
  });
  passOnOwnMessagesAlone(aedes);
  forgetSubscriptions(aedes);
  aedes.on('clientReady', (client) => connections.get(client)?.intake.open());
  aedes.on('clientError', (client, error) => logError(client, error));
  aedes.on('connectionError', (client, error) => logError(client, error));
  (aedes as NodeJS.EventEmitter).on('error', (error) => log.error({ err: error as Error }, 'the broker failed'));
  await aedes.listen();
  const persistence = persistenceOf(aedes);
  Object.assign(persistence, exactlyOnce.persistence);
  ignoreUnexpectedAcknowledgements(persistence);
  await registry.start();

  function handle(socket: Duplex, from: Pick<ConnectionOptions, 'remoteAddress' | 'onIntroduced'>): void {
    const packetBytesMax = payloadBytesMax + aroundPayloadBytes;
    const onSilence = ({ client, intake }: Connection) => {
      intake.announceEnd(reasonCodes.keepAliveTimeout);
      client.conn.destroy();
    };
    const options = { aedes, socket, ...from, flow, unfinishedPackets, packetBytesMax, onViolation: reject, onSilence };
    const connection = createConnection(options);
    connections.set(connection.client, connection);
  }

  async function publish(client: Client, packet: PublishPacket): Promise<void> {
    const connection = connections.get(client);
    if (!connection?.login) throw new Error('nobody is logged in');
    const isWill = wills.has(packet);
    if (isWill && isStopping) return;
    if (packet.qos === 0 && connection.flow.isFull()) {
      droppedMessages += 1;
      return;
    }
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    const { login } = connection;
    let bytes = payload.length + Buffer.byteLength(packet.topic);
    const onUnderstood = (more: number) => {
      bytes += more;
      connection.flow.grow(more);
    };
    const work = () => receiver.receive(login, { topic: packet.topic, payload, isWill, onUnderstood });
    connection.flow.take(bytes);
    try {
      const { qos, messageId } = packet;
      if (qos === 0) await work().catch(ignoreForbiddenTopic);
      else if (qos !== 2 || isWill || messageId === undefined) await work();
      else await exactlyOnce.once(client, messageId, work);
    } finally {
      connection.flow.settle(bytes);
      // Aedes may keep the packet for some time, and nobody needs its content.
      packet.payload = nothing;
      packet.topic = '';
    }
    if (client.closed) throw new Error('the connection has gone');
  }

  function isAllowed(client: Client, { topic }: Subscription): boolean {
    const connection = connections.get(client);
    return connection?.login !== undefined && maySubscribe(connection.login, topic);
  }

  function logError(client: Client, error: Error): void {
    const connection = connections.get(client);
    const { remoteAddress, login } = connection ?? {};
    log.debug({ err: error, readerId: login?.readerId, remoteAddress }, 'a connection of a reader ended in an error');
  }

  /** Lets accepted messages be stored and acknowledged, for at most the given time, and ends all connections. */
  async function close(timeoutMs: number): Promise<void> {
    isStopping = true;
    flow.close();
    await registry.stop();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([flow.drained(), late]);
    clearTimeout(timer);
    await receiver.stop();
    // The last acknowledgements are still on their way to the sockets.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    registry.announceEnd(reasonCodes.serverShuttingDown);
    await new Promise<void>((resolve) => aedes.close(resolve));
  }

  return {
    handle,
    close,
    stats: () => ({
      connections: registry.connections(),
      messagesUnderWay: flow.messages(),
      /** QoS 0 messages that were dropped because the memory limit was reached. */
      droppedMessages,
    }),
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof RefusedLoginError && error.returnCode === returnCodes.serverUnavailable;
}

function reasonOf(error: unknown): number {
  return error instanceof TooManyUnreleasedError ? reasonCodes.quotaExceeded : reasonCodes.unspecifiedError;
}

/**
 * Drops a message without an acknowledgement. If the connection ended instead, the device would reconnect and publish
 * to the same topic again.
 */
function ignoreForbiddenTopic(error: unknown): void {
  if (!(error instanceof ForbiddenTopicError)) throw error;
}

export type ReaderBroker = Awaited<ReturnType<typeof createReaderBroker>>;
