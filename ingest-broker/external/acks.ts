import type { Packet } from 'mqtt-packet';

/** One acknowledgement in the order of its connection. */
export type Ack = {
  /** Allows it to be sent. */
  give(): void;
  /** Drops it, without holding up others. */
  withhold(): void;
};

export type Acks = ReturnType<typeof createAcks>;

/**
 * Sends acknowledgements in the order of their messages, even if a later one is stored first ([MQTT-4.6.0-2], [MQTT-4.6.0-3]).
 */
export function createAcks(send: (packet: Packet) => void) {
  const line: { packet: Packet; state: 'waiting' | 'given' | 'withheld' }[] = [];

  function flush(): void {
    let count = 0;
    for (const { packet, state } of line) {
      if (state === 'waiting') break;
      if (state === 'given') send(packet);
      count += 1;
    }
    line.splice(0, count);
  }

  /** Adds an acknowledgement to the order. */
  return function ack(packet: Packet): Ack {
    const entry: (typeof line)[number] = { packet, state: 'waiting' };
    line.push(entry);
    const become = (state: 'given' | 'withheld') => {
      entry.state = state;
      if (line[0] === entry) flush();
    };
    return { give: () => become('given'), withhold: () => become('withheld') };
  };
}
