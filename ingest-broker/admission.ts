import { randomUUID } from 'node:crypto';
import type { AuthenticateError, ConnectPacket } from 'aedes';
import {
  type Core,
  createFairSemaphore,
  type Log,
  networksOf,
  QueueFullError,
  type ReaderLogin,
} from '../server/index.js';
import { connectFaultOf, returnCodes } from './connect-faults.js';
import type { Connection } from './connection.js';
import { createLogBudget } from './log-budget.js';

/** Logins that query the database at once, so that a flood of them does not starve ingestion. */
const loginsRunningMax = 3;
const loginsWaitingMax = 2000;
/**
 * How many logins of one user name from one network can wait. Equals the number of connections that a reader can have.
 */
const loginsOfUserMax = 100;

/** Rejections logged in a second, so that a flood of them cannot fill the log. */
const refusalsLoggedMax = 20;

/** Stands for a missing password, which is a fault of the CONNECT. */
const nothing = Buffer.alloc(0);

/** A rejected login, with its CONNACK return code. */
export class RefusedLoginError extends Error implements AuthenticateError {
  readonly returnCode: number;

  constructor(message: string, returnCode: number) {
    super(message);
    this.name = 'RefusedLoginError';
    this.returnCode = returnCode;
  }
}

/**
 * Authenticates clients by user name and password only. A rejected login is logged and, if the user name is a reader's,
 * recorded for its administrators.
 */
export function createAdmission({ core, log }: { core: Core; log: Log }) {
  /**
   * Networks take turns, and user names within a network, so that a flood of logins does not keep other readers
   * waiting.
   */
  const pass = createFairSemaphore({
    runningMax: loginsRunningMax,
    waitingMax: loginsWaitingMax,
    waitingPerLineMax: loginsOfUserMax,
  });
  const mayLog = createLogBudget(refusalsLoggedMax);

  /**
   * Prepares a CONNECT before anything else handles it. Prefixes the client id with the user name, so that two readers
   * with the same id never collide; a reader that reconnects with its own id takes over its connection
   * ([MQTT-3.1.4-2]).
   */
  function prepare(connection: Connection, packet: ConnectPacket): void {
    const { username = '', clientId } = packet;
    connection.username = username;
    connection.fault = connectFaultOf(packet);
    packet.clientId = `${username}/${clientId === '' ? randomUUID() : clientId}`;
  }

  /** @throws RefusedLoginError */
  async function admit(connection: Connection, password: Uint8Array | undefined): Promise<ReaderLogin> {
    if (connection.fault) {
      const { reason, returnCode } = connection.fault;
      note(connection, reason);
      throw new RefusedLoginError(reason, returnCode);
    }
    const login = await authenticate(connection, password ?? nothing);
    if (login) return login;
    const reason = 'wrong user name or password';
    logRejection(connection, reason);
    throw new RefusedLoginError(reason, returnCodes.badUserNameOrPassword);
  }

  function note(connection: Connection, reason: string): void {
    logRejection(connection, reason);
    core.readers.noteRefusal(connection.username, reason);
  }

  function logRejection({ username, remoteAddress }: Connection, reason: string): void {
    log[mayLog() ? 'warn' : 'debug']({ username, remoteAddress, reason }, 'a reader login was rejected');
  }

  async function authenticate(
    { username, remoteAddress }: Connection,
    password: Uint8Array,
  ): Promise<ReaderLogin | undefined> {
    const path = [...networksOf(remoteAddress).toReversed(), username];
    try {
      return await pass(path, () => core.readers.authenticate(username, password));
    } catch (error) {
      if (!(error instanceof QueueFullError)) {
        log[mayLog() ? 'warn' : 'debug']({ err: error }, 'a login could not be checked');
      }
      throw new RefusedLoginError('the service is busy', returnCodes.serverUnavailable);
    }
  }

  return { prepare, admit };
}
