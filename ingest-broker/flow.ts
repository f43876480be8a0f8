/** What the messages under way may take in memory, all together and of one connection. */
const totalBytesMax = 64 * 1024 * 1024;
const connectionBytesMax = 1024 * 1024;
const connectionMessagesMax = 1000;
/** What a message takes besides its payload. */
const messageOverheadBytes = 512;

/** The messages of one connection that are not settled yet. */
export type ConnectionFlow = {
  /** Whether more of the connection may be read; if not, it is told when to go on. */
  hasRoom(): boolean;
  take(bytes: number): void;
  /** A message that was taken needs more than it seemed. */
  grow(bytes: number): void;
  /** @param bytes all that the message was taken and grown by */
  settle(bytes: number): void;
  /** The connection has ended; what it has under way still counts. */
  leave(): void;
};

/**
 * Holds connections back while too much of theirs, or of everybody's, waits to be stored: their sockets are then not read,
 * so that TCP slows the sender down and nothing is lost. Memory is bounded by what is read before that.
 */
export function createFlow({ totalBytes: totalMax = totalBytesMax }: { totalBytes?: number } = {}) {
  let totalBytes = 0;
  let messages = 0;
  let isClosed = false;
  /** Ways to go on for connections that have room of their own, but found none in all. */
  const crowd = new Set<() => void>();
  const idle: (() => void)[] = [];

  /** @param goOn called when there is room again for a connection that found none */
  function connect(goOn: () => void): ConnectionFlow {
    let ownBytes = 0;
    let ownMessages = 0;
    let isHeldBack = false;
    let hasLeft = false;

    const isFilled = (share: number) =>
      ownBytes >= connectionBytesMax * share || ownMessages >= connectionMessagesMax * share;
    const goOnInTurn = () => {
      isHeldBack = false;
      crowd.delete(goOnInTurn);
      goOn();
    };

    function countBytes(bytes: number): void {
      ownBytes += bytes;
      totalBytes += bytes;
    }

    function countMessage(sign: 1 | -1, bytes: number): void {
      countBytes(sign * (bytes + messageOverheadBytes));
      ownMessages += sign;
      messages += sign;
    }

    return {
      hasRoom() {
        isHeldBack = isFilled(1);
        if (isClosed || isHeldBack || hasLeft) return false;
        if (totalBytes < totalMax) return true;
        crowd.add(goOnInTurn);
        return false;
      },
      take: (bytes) => countMessage(1, bytes),
      grow: countBytes,
      settle(bytes) {
        countMessage(-1, bytes);
        if (messages === 0) for (const resolve of idle.splice(0)) resolve();
        if (isClosed) return;
        if (isHeldBack && !hasLeft && !isFilled(1 / 2)) goOnInTurn();
        if (totalBytes < totalMax) crowd.values().next().value?.();
      },
      leave() {
        hasLeft = true;
        crowd.delete(goOnInTurn);
      },
    };
  }

  return {
    connect,
    /** Whether a message without an ack is better dropped than kept. */
    isFull: () => totalBytes >= totalMax,
    messages: () => messages,
    /** Reads no more from any socket. */
    close() {
      isClosed = true;
    },
    /** Resolves once every message that was taken is settled. */
    async drained(): Promise<void> {
      if (messages > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
  };
}

export type Flow = ReturnType<typeof createFlow>;
