import type { Duplex } from 'node:stream';
import type { Aedes, Client } from 'aedes';
import type { ReaderLogin } from '../server/index.js';
import { answerRepeatedFilters, leaveIdentifiersToPersistence, readWithoutWaiting } from './aedes-internals.js';
import type { ConnectFault } from './connect-faults.js';
import type { ConnectionFlow, Flow } from './flow.js';
import { createKeepAlive, type KeepAlive } from './keep-alive.js';
import type { UnfinishedPacket, UnfinishedPackets } from './unfinished-packets.js';
import { createIntake, type Intake, type Violation } from './wire/intake.js';

/** The broker's state of one connection. */
export type Connection = {
  readonly client: Client;
  readonly remoteAddress: string;
  /** Called once the CONNECT was received. */
  readonly onIntroduced: () => void;
  readonly flow: ConnectionFlow;
  readonly unfinished: UnfinishedPacket;
  readonly intake: Intake;
  readonly keepAlive: KeepAlive;
  /** Set by a successful login, and kept up to date with the reader's settings. */
  login: ReaderLogin | undefined;
  /** Claimed in the CONNECT, whether or not the login succeeds. */
  username: string;
  /** What is wrong with the CONNECT. */
  fault: ConnectFault | undefined;
};

export type ConnectionOptions = {
  aedes: Aedes;
  socket: Duplex;
  remoteAddress: string;
  onIntroduced(): void;
  flow: Flow;
  unfinishedPackets: UnfinishedPackets;
  packetBytesMax: number;
  onViolation(connection: Connection, violation: Violation): void;
  onSilence(connection: Connection): void;
};

/** Creates a connection, whose socket Aedes reads through an intake that enforces the rules and the memory limits. */
export function createConnection(options: ConnectionOptions): Connection {
  const { aedes, socket, remoteAddress, onIntroduced, packetBytesMax } = options;
  const flow = options.flow.connect(() => intake.goOn());
  const unfinished = options.unfinishedPackets.connect(() => intake.goOn());
  const intake = createIntake({
    socket,
    bodyBytesMax: packetBytesMax,
    hasCapacity: () => unfinished.mayGrow() && flow.hasCapacity(),
    onRead(piece) {
      flow.read(piece);
      unfinished.note(piece.begunBytes);
      if (piece.packets > 0) keepAlive.received();
    },
    onViolation: (violation) => options.onViolation(connection, violation),
  });
  const keepAlive = createKeepAlive({
    isListening: () => intake.isListening(),
    onSilence: () => options.onSilence(connection),
  });
  // The flow limits how much may wait.
  readWithoutWaiting(socket, () => client);
  const client = aedes.handle(socket);
  answerRepeatedFilters(client);
  leaveIdentifiersToPersistence(client);
  const connection: Connection = {
    client,
    remoteAddress,
    onIntroduced,
    flow,
    unfinished,
    intake,
    keepAlive,
    login: undefined,
    username: '',
    fault: undefined,
  };
  socket.once('close', () => {
    keepAlive.stop();
    flow.leave();
    unfinished.leave();
  });
  return connection;
}
