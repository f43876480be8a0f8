import { randomUUID } from 'node:crypto';
import type { AuthenticateError, ConnectPacket } from 'aedes';
import type { Core, Log, ReaderLogin } from '../server/index.js';
import type { Connection } from './connection.js';
import { createTurnstile, TurnstileFullError } from './turnstile.js';

/** Logins that ask the database at once, so that a flood of them leaves it to the reads. */
const loginsRunningMax = 3;
const loginsWaitingMax = 2000;

/** Refusals told in a second; a flood of them is not to fill the log. */
const refusalsLoggedMax = 20;

const mqtt5 = 5;

/** Return codes of CONNACK. */
const identifierRejected = 2;
const serverUnavailable = 3;
const badUserNameOrPassword = 4;

/** Why a client is not let in, as CONNACK says it. */
export class RefusedLoginError extends Error implements AuthenticateError {
  readonly returnCode: number;

  constructor(message: string, returnCode: number) {
    super(message);
    this.name = 'RefusedLoginError';
    this.returnCode = returnCode;
  }
}

/**
 * Reads a CONNECT before anything is done with it. The client id becomes one of the user name's own, so that two readers
 * with the same id never meet; a reader that comes again with its own takes its connection over ([MQTT-3.1.4-2]).
 */
export function prepareConnect(connection: Connection, packet: ConnectPacket, log: Log): void {
  const { username = '', clientId } = packet;
  const isPersistent = packet.clean === false;
  if (packet.protocolVersion === mqtt5) {
    log.warn(
      { username, remoteAddress: connection.remoteAddress },
      'a device speaks MQTT 5, which is refused: set it to MQTT 3.1.1',
    );
  }
  connection.username = username;
  connection.isPersistent = isPersistent;
  connection.lacksId = clientId === '' && isPersistent; // [MQTT-3.1.3-8]
  packet.clientId = `${username}/${clientId === '' ? randomUUID() : clientId}`;
  connection.sessionKey = isPersistent ? packet.clientId : `${packet.clientId} ${randomUUID()}`;
}

/** Decides who a client is, by user name and password alone. */
export function createAdmission({ core, log }: { core: Core; log: Log }) {
  const pass = createTurnstile({ runningMax: loginsRunningMax, waitingMax: loginsWaitingMax });
  const recent = { second: 0, refusals: 0 };

  /** @throws RefusedLoginError */
  return async function admit(connection: Connection, password: Uint8Array | undefined): Promise<ReaderLogin> {
    const { username, remoteAddress } = connection;
    if (connection.lacksId) {
      throw refuse('an empty client id needs a clean session', identifierRejected);
    }
    if (username === '' || password === undefined) {
      throw refuse('user name or password is missing', badUserNameOrPassword);
    }
    const login = await authenticate(username, password);
    if (!login) throw refuse('wrong user name or password', badUserNameOrPassword);
    return login;

    function refuse(reason: string, returnCode: number): RefusedLoginError {
      log[levelOfRefusal()]({ username, remoteAddress, reason }, 'a reader was not let in');
      return new RefusedLoginError(reason, returnCode);
    }
  };

  function levelOfRefusal(): 'warn' | 'debug' {
    const second = Math.floor(Date.now() / 1000);
    if (recent.second !== second) Object.assign(recent, { second, refusals: 0 });
    recent.refusals += 1;
    return recent.refusals <= refusalsLoggedMax ? 'warn' : 'debug';
  }

  async function authenticate(username: string, password: Uint8Array): Promise<ReaderLogin | undefined> {
    try {
      return await pass(() => core.readers.authenticate(username, password));
    } catch (error) {
      if (!(error instanceof TurnstileFullError)) log.warn({ err: error }, 'a login could not be checked');
      throw new RefusedLoginError('the service is busy', serverUnavailable);
    }
  }
}
