import { createPace } from './pace.js';
import type { Piece } from './wire/intake.js';

/** What the messages under way may take in memory, all together and of one reader. */
const totalBytesMax = 4 * 1024 * 1024;
const readerBytesMax = 1024 * 1024;
const readerMessagesMax = 1000;
/** Topic filters of a reader, all its connections together. */
const filterBytesMax = 64 * 1024;
/** What a message takes besides its payload. */
const messageOverheadBytes = 512;
/** The work that a packet makes, however short it is, as bytes that would make as much. */
const packetCostBytes = 256;

/** The part of one connection in the messages that are not settled yet. */
export type ConnectionFlow = {
  /** From now on its messages count with those of all connections of the reader. */
  join(readerId: number): void;
  /** Whether a message without an acknowledgement is better dropped than kept. */
  isFull(): boolean;
  /** Whether more of the connection may be read; if not, it is told when to go on. */
  hasRoom(): boolean;
  read(piece: Piece): void;
  take(bytes: number): void;
  /** A message that was taken needs more than it seemed. */
  grow(bytes: number): void;
  /** @param bytes all that the message was taken and grown by */
  settle(bytes: number): void;
  /**
   * Counts a topic filter that the connection subscribes to, or with a negative number one that it gives up.
   *
   * @returns false, counting nothing, if the reader has no room for it
   */
  takeFilter(bytes: number): boolean;
  /** The connection has ended; what it has under way still counts. */
  leave(): void;
};

/** What is under way of one reader, and its connections that wait for room. */
type Account = {
  bytes: number;
  messages: number;
  filterBytes: number;
  connections: number;
  waiting: Set<() => void>;
};

/**
 * Holds connections back while too much of their reader's, or of everybody's, waits to be stored: their sockets are then
 * not read, so that TCP slows the sender down and nothing is lost. Memory is bounded by what is read before that.
 */
export function createFlow({ totalBytes: totalMax = totalBytesMax }: { totalBytes?: number } = {}) {
  const accounts = new Map<number, Account>();
  const pace = createPace();
  let totalBytes = 0;
  let messages = 0;
  let isClosed = false;
  /** Ways to go on for connections whose reader has room of its own, but that found none in all. */
  const crowd = new Set<() => void>();
  const idle: (() => void)[] = [];

  const isFilled = (account: Account, share: number) =>
    account.bytes >= readerBytesMax * share || account.messages >= readerMessagesMax * share;

  function accountOf(readerId: number): Account {
    const account = accounts.get(readerId) ?? newAccount();
    accounts.set(readerId, account);
    return account;
  }

  /** @param goOn called when there is room again for a connection that found none */
  function connect(goOn: () => void): ConnectionFlow {
    let account = newAccount();
    let readerId: number | undefined;
    let hasLeft = false;
    let readInTurn = -1;
    let filterBytes = 0;

    const goOnInTurn = () => {
      for (const queue of [account.waiting, crowd]) queue.delete(goOnInTurn);
      pace.leave(goOnInTurn);
      goOn();
    };

    /** Whoever has nothing under way and was not heard in this turn need not wait for those that have much to say. */
    const hasLittleToSay = () => account.messages === 0 && readInTurn !== pace.turn();

    /** A reader with nothing under way need not wait for those that fill the room, which have as much again for it. */
    const isFull = () => totalBytes >= totalMax * (account.messages === 0 ? 2 : 1);

    function countBytes(bytes: number): void {
      account.bytes += bytes;
      totalBytes += bytes;
    }

    function countMessage(sign: 1 | -1, bytes: number): void {
      countBytes(sign * (bytes + messageOverheadBytes));
      account.messages += sign;
      messages += sign;
    }

    /** An account is kept as long as anything of it is under way, whatever becomes of the connections. */
    function forgetAccount(): void {
      if (readerId !== undefined && account.connections === 0 && account.messages === 0) accounts.delete(readerId);
    }

    return {
      join(id) {
        readerId = id;
        account = accountOf(id);
        account.connections += 1;
      },
      hasRoom() {
        if (isClosed || hasLeft) return false;
        if (isFilled(account, 1)) account.waiting.add(goOnInTurn);
        else if (isFull()) crowd.add(goOnInTurn);
        else if (pace.isExhausted() && !hasLittleToSay()) pace.wait(goOnInTurn);
        else return true;
        return false;
      },
      read({ bytes, packets, isMoreThere }) {
        readInTurn = pace.turn();
        pace.spend(bytes + packets * packetCostBytes);
        if (isMoreThere) pace.wait(goOnInTurn);
      },
      take: (bytes) => countMessage(1, bytes),
      grow: countBytes,
      settle(bytes) {
        countMessage(-1, bytes);
        if (messages === 0) for (const resolve of idle.splice(0)) resolve();
        forgetAccount();
        if (isClosed) return;
        if (account.waiting.size > 0 && !isFilled(account, 1 / 2)) for (const go of [...account.waiting]) go();
        if (totalBytes < totalMax) crowd.values().next().value?.();
      },
      takeFilter(bytes) {
        if (account.filterBytes + bytes > filterBytesMax) return false;
        account.filterBytes += bytes;
        filterBytes += bytes;
        return true;
      },
      isFull,
      leave() {
        hasLeft = true;
        account.filterBytes -= filterBytes;
        for (const queue of [account.waiting, crowd]) queue.delete(goOnInTurn);
        pace.leave(goOnInTurn);
        if (readerId === undefined) return;
        account.connections -= 1;
        forgetAccount();
      },
    };
  }

  return {
    connect,
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

function newAccount(): Account {
  return { bytes: 0, messages: 0, filterBytes: 0, connections: 0, waiting: new Set() };
}

export type Flow = ReturnType<typeof createFlow>;
