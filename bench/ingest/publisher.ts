import { connect } from 'node:net';
import { generate } from 'mqtt-packet';
import { createAnswers, disconnectPacket, pingreqPacket, publishPacket } from './packets.js';

export type ReaderAccount = {
  readonly username: string;
  readonly password: string;
};

export type PublisherOptions = {
  readonly port: number;
  readonly account: ReaderAccount;
  readonly qos: 0 | 1;
  /** QoS 1: the number of unacknowledged messages. QoS 0: messages between two PINGREQs. */
  readonly window: number;
  readonly onAck: (latencyMs: number) => void;
  /** Called when another message may be sent. */
  readonly onCapacity: () => void;
  readonly onFailure: (error: Error) => void;
};

/** One reader's connection. Instants are from `performance.now()`. */
export type Publisher = {
  hasCapacity(): boolean;
  /** Copies the payload. The latency of its acknowledgement counts from the given instant. */
  send(payload: Uint8Array, sinceMs: number): void;
  /** Resolves once the broker has answered everything that was sent. */
  settled(): Promise<void>;
  close(): void;
};

/** Unanswered PINGREQs of a reader at QoS 0, which limit the bytes in flight. */
const pingsMax = 2;

/**
 * Connects as a reader does. At QoS 1 message ids are indexes of the window, so that the latency of an acknowledgement
 * is found without a search. At QoS 0, without acknowledgements, the answers to PINGREQs show how far the broker has
 * read.
 *
 * @throws Error if the broker rejects the connection
 */
export async function connectPublisher(options: PublisherOptions): Promise<Publisher> {
  const { port, account, qos, window, onAck, onCapacity, onFailure } = options;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const topic = Buffer.from(`readers/${account.username}/reads`);
  const sinceOf = new Float64Array(window + 1);
  const freeIds = Array.from({ length: window }, (_, index) => window - index);
  let pings = 0;
  let sentSincePing = 0;
  let isClosing = false;
  let onSettled: (() => void) | undefined;

  const hasCapacity = () => (qos === 1 ? freeIds.length > 0 : pings < pingsMax);
  const isSettled = () => (qos === 1 ? freeIds.length === window : pings === 0 && sentSincePing === 0);

  function ping(): void {
    socket.write(pingreqPacket);
    pings += 1;
    sentSincePing = 0;
  }

  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
      if (!isClosing) onFailure(error);
    };
    const follow = createAnswers({
      onConnected: (code) => (code === 0 ? resolve() : fail(new Error(`the broker refused a reader: ${code}`))),
      onAck(id) {
        onAck(performance.now() - (sinceOf[id] ?? 0));
        freeIds.push(id);
        onCapacity();
      },
      onPong() {
        pings -= 1;
        onCapacity();
      },
    });
    socket.on('data', (chunk: Buffer) => {
      // The messages that the answers of one chunk allow are sent in one write.
      socket.cork();
      try {
        follow(chunk);
      } catch (error) {
        fail(error as Error);
      }
      socket.uncork();
      if (isSettled()) onSettled?.();
    });
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the broker closed the connection of a reader')));
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: account.username,
        keepalive: 0,
        username: account.username,
        password: Buffer.from(account.password),
      }),
    );
  });

  return {
    hasCapacity,
    send(payload, sinceMs) {
      const id = qos === 1 ? freeIds.pop() : undefined;
      if (id !== undefined) sinceOf[id] = sinceMs;
      socket.write(publishPacket({ topic, payload, id }));
      sentSincePing += 1;
      if (qos === 0 && sentSincePing >= window) ping();
    },
    settled() {
      if (qos === 0 && sentSincePing > 0) ping();
      if (isSettled()) return Promise.resolve();
      return new Promise((resolve) => {
        onSettled = resolve;
      });
    },
    close() {
      isClosing = true;
      socket.end(disconnectPacket);
    },
  };
}
