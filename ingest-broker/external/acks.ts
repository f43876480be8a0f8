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
 * Sends acknowledgements in the order of their messages, whichever is stored first ([MQTT-4.6.0-2], [MQTT-4.6.0-3]).
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
    const place: (typeof line)[number] = { packet, state: 'waiting' };
    line.push(place);
    const become = (state: 'given' | 'withheld') => {
      place.state = state;
      if (line[0] === place) flush();
    };
    return { give: () => become('given'), withhold: () => become('withheld') };
  };
}
