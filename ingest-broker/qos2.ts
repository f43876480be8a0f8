import { RedisAwayError } from '../server/index.js';

/** The part of Aedes' persistence that remembers QoS 2 messages until their PUBREL, in memory or shared by processes. */
export type IncomingStore = {
  incomingGetPacket(client: { id: string }, packet: { messageId: number }): Promise<unknown>;
};

export type Qos2Message = {
  client: { id: string };
  /** Of the session, which may outlive the connection; packet identifiers are told apart by it. */
  sessionKey: string;
  messageId: number;
};

/**
 * Lets each QoS 2 message be stored once ([MQTT-4.3.3-2]): one that is sent again is told by its packet identifier, also
 * while the first one is still being stored.
 *
 * @throws RedisAwayError where it cannot be found out, and what storing throws
 */
export function createExactlyOnce(store: () => IncomingStore) {
  const underWay = new Map<string, Promise<void>>();

  return async function once(message: Qos2Message, work: () => Promise<void>): Promise<void> {
    const { client, sessionKey, messageId } = message;
    const key = `${messageId} ${sessionKey}`;
    const first = underWay.get(key);
    if (first) return first;
    const storing = storeUnlessKnown();
    underWay.set(key, storing);
    return storing.finally(() => underWay.delete(key));

    async function storeUnlessKnown(): Promise<void> {
      const isKnown = await store()
        .incomingGetPacket(client, { messageId })
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof RedisAwayError) throw error;
            return false;
          },
        );
      if (!isKnown) await work();
    }
  };
}
