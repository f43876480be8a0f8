import { setTimeout as delay } from 'node:timers/promises';
import type { Credentials } from './mqtt.js';
import {
  answerPacket,
  connectPacket,
  disconnectPacket,
  packetTypes,
  publishPacket,
  type RawMqtt,
  type RawPacket,
  rawMqtt,
} from './raw-mqtt.js';

/** A device that numbers its messages, keeps its session, and sends again what was not acknowledged, without end. */
export type RetryingReader = Disposable & {
  /** How many of its messages were acknowledged. */
  acknowledged(): number;
  /** How many messages there are, received or not. */
  messages(): number;
  /** How often messages were sent, repetitions included. */
  transmissions(): number;
  /** How often it was accepted. */
  connections(): number;
  /** Starts no new messages, and resolves once all have been acknowledged. */
  finish(): Promise<void>;
};

export type RetryingOptions = {
  port: number;
  reader: Credentials & { publish_topic: string };
  qos: 1 | 2;
  /** Messages that wait for their acknowledgement at a time. */
  window: number;
  payload(number: number): string;
};

const retryMs = 100;
const accepted = 0;
const identifiers = 65_535;

export function createRetryingReader({ port, reader, qos, window, payload }: RetryingOptions): RetryingReader {
  /** Packets that are to be answered, oldest first, by their identifier: a PUBLISH, or the PUBREL that follows it. */
  const open = new Map<number, { number: number; isReleased: boolean }>();
  const counts = { acknowledged: 0, messages: 0, transmissions: 0, connections: 0 };
  let client: RawMqtt | undefined;
  let isFinishing = false;
  let hasLeft = false;

  function transmit(id: number, dup: boolean): void {
    const message = open.get(id);
    if (!message) return;
    if (message.isReleased) {
      client?.send(answerPacket(packetTypes.pubrel, id));
      return;
    }
    counts.transmissions += 1;
    client?.send(publishPacket({ topic: reader.publish_topic, payload: payload(message.number), qos, id, dup }));
  }

  function fillWindow(): void {
    while (!isFinishing && open.size < window) {
      const id = (counts.messages % identifiers) + 1;
      open.set(id, { number: counts.messages, isReleased: false });
      counts.messages += 1;
      transmit(id, false);
    }
  }

  function take({ type, body }: RawPacket): void {
    const id = body.readUInt16BE();
    const message = open.get(id);
    if (!message) return;
    if (type === packetTypes.pubrec) {
      message.isReleased = true;
      transmit(id, false);
    } else {
      open.delete(id);
      counts.acknowledged += 1;
    }
  }

  /** One connection, from its CONNECT to its end. */
  async function visit(): Promise<void> {
    const { mqtt_username: username, mqtt_password: password } = reader;
    using visiting = await rawMqtt(port);
    visiting.send(connectPacket({ clientId: 'retrying', username, password, clean: false }));
    if ((await visiting.next())?.body[1] !== accepted) return;
    client = visiting;
    counts.connections += 1;
    for (const id of open.keys()) transmit(id, true);
    while (!hasLeft && (!isFinishing || open.size > 0)) {
      fillWindow();
      const packet = await visiting.next();
      if (!packet) return;
      take(packet);
    }
    visiting.send(disconnectPacket);
    await visiting.closed();
  }

  async function work(): Promise<void> {
    while (!hasLeft && (!isFinishing || open.size > 0)) {
      await visit().catch(() => {});
      client = undefined;
      await delay(retryMs);
    }
  }

  const working = work();
  return {
    acknowledged: () => counts.acknowledged,
    messages: () => counts.messages,
    transmissions: () => counts.transmissions,
    connections: () => counts.connections,
    finish() {
      isFinishing = true;
      return working;
    },
    [Symbol.dispose]() {
      hasLeft = true;
      client?.socket.destroy();
    },
  };
}
