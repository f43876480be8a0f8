import type { Duplex } from 'node:stream';
import { createPacketSizes, type Oversized } from './packet-sizes.js';

/** What the messages under way may take in memory, all together and of one connection. */
const totalBytesMax = 64 * 1024 * 1024;
const connectionBytesMax = 1024 * 1024;
const connectionMessagesMax = 1000;
/** What a message takes besides its payload. */
const messageOverheadBytes = 512;
/** What MQTT puts around a payload: a topic and its length, and a packet identifier. */
const aroundPayloadBytes = 65_535 + 4;

/** The messages of one connection that are not settled yet. */
export type ConnectionFlow = {
  take(payloadBytes: number): void;
  settle(payloadBytes: number): void;
};

export type FlowOptions = { payloadBytesMax: number; totalBytes?: number };

/**
 * Holds connections back while too much of theirs, or of everybody's, waits to be stored: their sockets are then not read,
 * so that TCP slows the sender down and nothing is lost. Memory is bounded by what is read before that.
 */
export function createFlow({ payloadBytesMax, totalBytes: totalMax = totalBytesMax }: FlowOptions) {
  let totalBytes = 0;
  let messages = 0;
  let isClosed = false;
  /** Ways to go on for connections that have room of their own, but found none in all. */
  const crowd = new Set<() => void>();
  const idle: (() => void)[] = [];

  /** Stands between a socket and whoever reads it. */
  function connect(socket: Duplex, onOversized: (packet: Oversized) => void): ConnectionFlow {
    const follow = createPacketSizes(payloadBytesMax + aroundPayloadBytes);
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    let ownBytes = 0;
    let ownMessages = 0;
    let isHeldBack = false;

    const isFilled = (share: number) =>
      ownBytes >= connectionBytesMax * share || ownMessages >= connectionMessagesMax * share;
    // Whoever reads the socket asks again when it hears of something readable.
    const goOn = () => {
      isHeldBack = false;
      crowd.delete(goOn);
      socket.emit('readable');
    };

    socket.read = (size?: number): Buffer | null => {
      isHeldBack = isFilled(1);
      if (!isHeldBack && totalBytes >= totalMax) crowd.add(goOn);
      if (isClosed || isHeldBack || totalBytes >= totalMax) return null;
      const chunk = read(size);
      const oversized = chunk ? follow(chunk) : undefined;
      if (!oversized) return chunk;
      onOversized(oversized);
      socket.destroy();
      return null;
    };
    socket.once('close', () => crowd.delete(goOn));

    function count(sign: 1 | -1, payloadBytes: number): void {
      const bytes = sign * (payloadBytes + messageOverheadBytes);
      ownBytes += bytes;
      totalBytes += bytes;
      ownMessages += sign;
      messages += sign;
    }

    return {
      take: (payloadBytes) => count(1, payloadBytes),
      settle(payloadBytes) {
        count(-1, payloadBytes);
        if (messages === 0) for (const resolve of idle.splice(0)) resolve();
        if (isClosed) return;
        if (isHeldBack && !isFilled(1 / 2)) goOn();
        if (totalBytes < totalMax) crowd.values().next().value?.();
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
