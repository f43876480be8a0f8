import { generate, type IConnackPacket, type ISubackPacket, type Packet } from 'mqtt-packet';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Log, ExternalBroker } from '../../server/index.js';
import { ProtocolViolationError } from '../wire/violation.js';
import { createAcks } from './acks.js';
import type { Arrivals } from './arrivals.js';
import { createPacketStream } from './packet-stream.js';
import { createKeepAlive } from './keep-alive.js';
import { readersFilter } from './sender.js';

/** The time limit for the broker's CONNACK. */
const admissionMs = 10_000;
/** The time limit for the broker to close the connection after a DISCONNECT. */
const farewellMs = 500;
/** The most acknowledgements that are buffered while the broker does not read them. */
const unsentBytesMax = 1024 * 1024;
const subscribeId = 1;
const unsubscribeId = 2;
const refused = 128;
/** A broker closes the connection of a client whose id another one uses, without a reason ([MQTT-3.1.4-2]). */
const closedReason =
  'it closed the connection; if it does so again and again, another process has the same MQTT_CLIENT_ID';

export type ConversationOptions = {
  broker: ExternalBroker;
  /** The authority of its certificate, if it is not a public one. */
  ca: Buffer | undefined;
  arrivals: Arrivals;
  log: Log;
  /** The interval of pings to the broker. This client announces a keep-alive of three times this interval. */
  keepAliveMs: number;
};

/** Runs one connection to the external broker, from start to end. */
export function converse({ broker, ca, arrivals, log, keepAliveMs }: ConversationOptions) {
  const about = { host: broker.host, port: broker.port, clientId: broker.clientId };
  const subscription = `$share/${broker.group}/${readersFilter}`;
  let state: 'connecting' | 'subscribing' | 'subscribed' | 'leaving' = 'connecting';
  let isEnding = false;
  let failure: Error | undefined;
  const pongs: (() => void)[] = [];
  let onLeft = () => {};

  const socket = dial({ ...broker, ca }, introduce);
  const takeBytes = createPacketStream(take);
  const ack = createAcks(send);
  const keepAlive = createKeepAlive({
    everyMs: keepAliveMs,
    ping: () => state !== 'connecting' && void ping(),
    isPaused: () => state === 'connecting' || socket.isPaused(),
    onSilence: () => fail(new Error(`it has been silent for ${keepAliveMs} ms`)),
  });
  const admission = setTimeout(() => fail(new Error(`it has not answered for ${admissionMs} ms`)), admissionMs);

  /** Settles when the connection has ended, with the reason unless this side ended it. */
  const ended = new Promise<Error | undefined>((resolve) => {
    socket.once('close', () => {
      clearTimeout(admission);
      keepAlive.stop();
      resolve(failure ?? (isEnding ? undefined : new Error(closedReason)));
    });
  });
  socket.on('error', fail);
  socket.on('data', receive);

  function introduce(): void {
    const { clientId, username, password } = broker;
    send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: false,
      clientId,
      keepalive: Math.ceil((3 * keepAliveMs) / 1000),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password: Buffer.from(password) }),
    });
  }

  function send(packet: Packet): void {
    if (!socket.writable) return;
    // Acknowledgements from the same turn of the event loop are sent together.
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(generate(packet));
  }

  function fail(error: unknown): void {
    failure ??= error instanceof Error ? error : new Error(String(error));
    socket.destroy();
  }

  function receive(chunk: Buffer): void {
    keepAlive.received();
    try {
      takeBytes(chunk);
    } catch (error) {
      return fail(error);
    }
    if (socket.writableLength > unsentBytesMax) return fail(new Error('it takes no acknowledgements'));
    if (arrivals.hasCapacity()) return;
    socket.pause();
    void arrivals.capacity().then(() => socket.resume());
  }

  function take(packet: Packet): void {
    if (failure) return;
    if (state === 'connecting' && packet.cmd !== 'connack')
      throw new ProtocolViolationError('it does not begin with a CONNACK');
    switch (packet.cmd) {
      case 'connack':
        return admitted(packet);
      case 'suback':
        return subscribed(packet);
      case 'unsuback':
        return onLeft();
      case 'publish':
        // A message that is not acknowledged is sent again when this process is back.
        if (!isEnding) arrivals.arrive(packet, { ack, onFailure });
        return;
      case 'pubrel':
        arrivals.release(packet.messageId ?? 0);
        return send({ cmd: 'pubcomp', messageId: packet.messageId ?? 0 });
      case 'pingresp':
        return pongs.shift()?.();
      default:
        throw new ProtocolViolationError(`a broker sends no ${packet.cmd}`);
    }
  }

  function admitted({ returnCode = 0, sessionPresent }: IConnackPacket): void {
    if (state !== 'connecting') throw new ProtocolViolationError('a second CONNACK');
    clearTimeout(admission);
    if (returnCode !== 0) return fail(new Error(reasonOf(returnCode)));
    log.info({ ...about, sessionPresent }, 'connected to the external broker');
    if (!sessionPresent) arrivals.forget();
    state = 'subscribing';
    send({ cmd: 'subscribe', messageId: subscribeId, subscriptions: [{ topic: subscription, qos: 2 }] });
  }

  function subscribed({ granted: [granted] }: ISubackPacket): void {
    if (state !== 'subscribing') throw new ProtocolViolationError('a SUBACK for nothing');
    if (granted === refused) return fail(new Error(`the broker rejects the subscription to ${subscription}`));
    if (granted === 0) log.error(about, 'the external broker grants QoS 0 alone, with which messages can be lost');
    state = 'subscribed';
  }

  function onFailure(error: unknown): void {
    if (isEnding) return;
    log.error({ err: error }, 'a message of the external broker could not be accepted');
    fail(new Error('a message could not be accepted'));
  }

  async function ping(): Promise<void> {
    const answered = new Promise<void>((resolve) => pongs.push(resolve));
    send({ cmd: 'pingreq' });
    return answered;
  }

  /**
   * Leaves the group and accepts what the broker had already assigned to this process. Sends a ping after every
   * acknowledgement; once the broker answers a ping without sending a message first, nothing is left.
   */
  async function leave(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      onLeft = resolve;
    });
    state = 'leaving';
    send({ cmd: 'unsubscribe', messageId: unsubscribeId, unsubscriptions: [subscription] });
    await left;
    let seen: number;
    do {
      seen = arrivals.arrived();
      await arrivals.drained();
      await acknowledgements();
      await ping();
    } while (arrivals.arrived() > seen);
  }

  /**
   * Accepts no more messages, waits until `settled` for the acknowledgements of those being stored, and disconnects.
   */
  async function end(settled: Promise<unknown>): Promise<void> {
    isEnding = true;
    if (state === 'connecting') socket.destroy();
    await Promise.race([settled, ended]);
    await acknowledgements();
    send({ cmd: 'disconnect' });
    socket.end();
    const late = setTimeout(() => socket.destroy(), farewellMs);
    await ended;
    clearTimeout(late);
  }

  return { ended, leave, end, isSubscribed: () => state === 'subscribed' && !isEnding && !socket.destroyed };
}

/** Waits until all acknowledgements so far have been sent. */
async function acknowledgements(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

export type Conversation = ReturnType<typeof converse>;

/** Connects to the broker; with TLS its certificate must be valid for its host. */
function dial({ host, port, isTls, ca }: ExternalBroker & { ca: Buffer | undefined }, onConnected: () => void): Socket {
  if (!isTls) return connect({ host, port, noDelay: true }, onConnected);
  // The handshake can only name a host name; an address is compared with the certificate as well.
  const servername = isIP(host) === 0 && { servername: host };
  return connectTls({ host, port, ...servername, ...(ca && { ca }) }, onConnected).setNoDelay(true);
}

/** The reasons of a broker's rejection, by the return code of its CONNACK. */
const reasons: Readonly<Record<number, string>> = {
  1: 'it does not speak MQTT 3.1.1',
  2: 'it refuses the client id (MQTT_CLIENT_ID)',
  3: 'it is not available now',
  4: 'it refuses the user or the password in MQTT_URL',
  5: 'it refuses the user or the password in MQTT_URL',
};

function reasonOf(returnCode: number): string {
  return reasons[returnCode] ?? `it refuses the connection with code ${returnCode}`;
}
