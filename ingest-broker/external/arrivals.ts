import type { IPublishPacket } from 'mqtt-packet';
import { createFlow } from '../flow.js';
import { ProtocolViolationError } from '../wire/violation.js';
import type { Acks } from './acks.js';
import type { ExternalMessage } from './intake.js';
import { createReceived } from './received.js';

/** The connection over which a message arrived. */
export type Recipient = {
  ack: Acks;
  /** Called when a message could not be accepted; the broker has to send it again. */
  onFailure(error: unknown): void;
};

/**
 * Tracks messages that have arrived and are not settled yet. It outlives connections, since the unsettled messages of a
 * lost connection still take memory.
 */
export function createArrivals(take: (message: ExternalMessage) => Promise<void>) {
  const flow = createFlow();
  const own = flow.connect(() => {
    for (const goOn of waiting.splice(0)) goOn();
  });
  const waiting: (() => void)[] = [];
  const received = createReceived();
  let droppedMessages = 0;
  let arrived = 0;

  /** @throws ProtocolViolationError */
  function arrive(packet: IPublishPacket, { ack, onFailure }: Recipient): void {
    const { qos, messageId = 0 } = packet;
    if (qos > 0 && messageId === 0) throw new ProtocolViolationError('a message has no identifier [MQTT-2.3.1-1]');
    arrived += 1;
    if (qos === 0) return takeUnconfirmed(packet);
    const entry = ack({ cmd: qos === 1 ? 'puback' : 'pubrec', messageId });
    const store = () => deliver(packet);
    (qos === 2 ? received.once(messageId, store) : store()).then(entry.give, (error: unknown) => {
      entry.withhold();
      onFailure(error);
    });
  }

  function takeUnconfirmed(packet: IPublishPacket): void {
    if (!own.hasCapacity()) droppedMessages += 1;
    else deliver(packet).catch(() => (droppedMessages += 1));
  }

  async function deliver({ topic, payload, retain }: IPublishPacket): Promise<void> {
    // A retained message, which every new subscriber gets, is not a present sighting.
    if (retain) return;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    own.take(bytes.length);
    try {
      await take({ topic, payload: bytes });
    } finally {
      own.settle(bytes.length);
    }
  }

  return {
    arrive,
    hasCapacity: () => own.hasCapacity(),
    /** Resolves when more messages can be accepted. */
    async capacity(): Promise<void> {
      if (!own.hasCapacity()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Resolves when no message is being stored. */
    drained: () => flow.drained(),
    /** The broker will not repeat the QoS 2 message. */
    release: (messageId: number) => received.release(messageId),
    /** The broker has started a new session. */
    forget: () => received.forget(),
    arrived: () => arrived,
    underWay: () => flow.messages(),
    droppedMessages: () => droppedMessages,
  };
}

export type Arrivals = ReturnType<typeof createArrivals>;
