import type { Client } from 'aedes';
import type { ReaderLogin } from '../server/index.js';
import type { ConnectionFlow } from './flow.js';

/** What the broker knows of one connection. */
export type Connection = {
  readonly client: Client;
  readonly remoteAddress: string;
  readonly flow: ConnectionFlow;
  /** Set by a login that succeeded, and kept up to date with the reader's settings. */
  login: ReaderLogin | undefined;
  /** Claimed in the CONNECT, whether or not the login succeeds. */
  username: string;
  /** Whether the session outlives the connection. */
  isPersistent: boolean;
  /** The client id for a session that outlives the connection, otherwise the connection's own. */
  sessionKey: string;
  /** An empty client id that asks for a session to be kept: there is nothing to keep it under. */
  lacksId: boolean;
  /** The filters asked for. */
  readonly subscriptions: Set<string>;
};
