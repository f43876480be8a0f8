import { createPace } from './pace.js';
import type { Owner } from './reader-limits.js';
import type { Piece } from './wire/intake.js';

/** The memory limits of messages that are being stored, in total, for each organization and for each reader. */
const totalBytesMax = 4 * 1024 * 1024;
const organizationBytesMax = 2 * 1024 * 1024;
const readerBytesMax = 1024 * 1024;
const readerMessagesMax = 1000;
/** What a message takes besides its payload. */
const messageOverheadBytes = 512;
/** The processing cost of a packet, however short, in bytes of equal cost. */
const packetCostBytes = 256;

/** The messages of one connection that are not settled yet. */
export type ConnectionFlow = {
  /** From now on counts its messages together with the messages of the reader's and its organization's other connections. */
  join(reader: Owner): void;
  /** Returns whether a message without an acknowledgement should be dropped. */
  isFull(): boolean;
  /** Returns whether the connection may be read; if not, `goOn` is called when it may. */
  hasCapacity(): boolean;
  read(piece: Pick<Piece, 'bytes' | 'packets' | 'isMoreThere'>): void;
  take(bytes: number): void;
  /** Counts the memory that an accepted message needs beyond the estimate. */
  grow(bytes: number): void;
  /** @param bytes the total of the message and its growth */
  settle(bytes: number): void;
  /** Stops counting for the connection; its unsettled messages still count. */
  leave(): void;
};

/** The unsettled messages of a reader or an organization, and its connections that wait to be read. */
type Account = {
  bytes: number;
  messages: number;
  connections: number;
  waiting: Set<() => void>;
};

type Accounts = Map<number, Account>;

/**
 * Limits memory by holding back connections while too many messages of their reader, or of all readers, wait to be
 * stored: their sockets are not read then, so that TCP slows the sender down and nothing is lost.
 */
export function createFlow({ totalBytes: totalMax = totalBytesMax }: { totalBytes?: number } = {}) {
  const readers: Accounts = new Map();
  const organizations: Accounts = new Map();
  const pace = createPace();
  let totalBytes = 0;
  let messages = 0;
  let isClosed = false;
  /** Callbacks of connections whose reader is below its limit while the total limit is reached. */
  const heldBack = new Set<() => void>();
  const idle: (() => void)[] = [];

  const isFilled = (account: Account, share: number) =>
    account.bytes >= readerBytesMax * share || account.messages >= readerMessagesMax * share;

  /** @param goOn called when a connection that was held back may be read again */
  function connect(goOn: () => void): ConnectionFlow {
    let account = newAccount();
    let organization = newAccount();
    let owner: Owner | undefined;
    let hasLeft = false;
    let readInTurn = -1;

    function forgetTurn(): void {
      for (const queue of [account.waiting, organization.waiting, heldBack]) queue.delete(goOnInTurn);
      pace.leave(goOnInTurn);
    }

    const goOnInTurn = () => {
      forgetTurn();
      goOn();
    };

    /**
     * Returns whether a reader has no unsettled messages and was not read in this turn. It then need not wait for busy
     * readers.
     */
    const mayGoFirst = () => account.messages === 0 && readInTurn !== pace.turn();

    /**
     * Returns the factor of the limits of all readers and of an organization. For a reader without unsettled messages they
     * are doubled, so that it need not wait for the others.
     */
    const factor = () => (account.messages === 0 ? 2 : 1);

    const isOrganizationFull = () => organization.bytes >= organizationBytesMax * factor();
    const isTotalFull = () => totalBytes >= totalMax * factor();

    function countBytes(bytes: number): void {
      account.bytes += bytes;
      organization.bytes += bytes;
      totalBytes += bytes;
    }

    function countMessage(sign: 1 | -1, bytes: number): void {
      countBytes(sign * (bytes + messageOverheadBytes));
      account.messages += sign;
      organization.messages += sign;
      messages += sign;
    }

    /** Forgets accounts once all their messages are settled; until then they are kept even if the connections end. */
    function forgetAccounts(): void {
      if (!owner) return;
      if (account.connections === 0 && account.messages === 0) readers.delete(owner.readerId);
      if (organization.connections === 0 && organization.messages === 0) organizations.delete(owner.orgId);
    }

    return {
      join(reader) {
        owner = reader;
        account = accountOf(readers, reader.readerId);
        organization = accountOf(organizations, reader.orgId);
        account.connections += 1;
        organization.connections += 1;
      },
      hasCapacity() {
        if (isClosed || hasLeft) return false;
        if (isFilled(account, 1)) account.waiting.add(goOnInTurn);
        else if (isOrganizationFull()) organization.waiting.add(goOnInTurn);
        else if (isTotalFull()) heldBack.add(goOnInTurn);
        else if (pace.isExhausted() && !mayGoFirst()) pace.wait(goOnInTurn);
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
        forgetAccounts();
        if (isClosed) return;
        if (account.waiting.size > 0 && !isFilled(account, 1 / 2)) for (const go of Array.from(account.waiting)) go();
        if (organization.bytes < organizationBytesMax / 2) for (const go of Array.from(organization.waiting)) go();
        if (totalBytes >= totalMax) return;
        // The first connection may have nothing to read. Without unsettled messages, nothing would wake the others.
        if (messages === 0) for (const go of Array.from(heldBack)) go();
        else heldBack.values().next().value?.();
      },
      isFull: () => isOrganizationFull() || isTotalFull(),
      leave() {
        hasLeft = true;
        forgetTurn();
        account.connections -= 1;
        organization.connections -= 1;
        forgetAccounts();
      },
    };
  }

  return {
    connect,
    messages: () => messages,
    /** Stops reading all sockets. */
    close() {
      isClosed = true;
    },
    /** Resolves once every accepted message is settled. */
    async drained(): Promise<void> {
      if (messages > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
  };
}

function accountOf(accounts: Accounts, id: number): Account {
  const account = accounts.get(id) ?? newAccount();
  accounts.set(id, account);
  return account;
}

function newAccount(): Account {
  return { bytes: 0, messages: 0, connections: 0, waiting: new Set() };
}

export type Flow = ReturnType<typeof createFlow>;
