import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor, Presence } from '../server/index.js';
import type { Operation } from './rest/operations.js';

/** A request in the gateway, with what the steps add to it. */
export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The path as requested, without the query. */
  instance: string;
  rawQuery: string;
  clientAddress: string;
  /** Cancels the statements of the request when the client disconnects. */
  presence: Presence;
  pathParameters: Readonly<Record<string, string>>;
  operation?: Operation;
  /** The name of the route if it is not a public operation. */
  route?: string;
  /** Errors name their reason, for the app. The envelope of the public contract has no such member. */
  namesReasons?: true;
  /** The answer continues until the client disconnects, so its duration is not measured. */
  isStream?: true;
  actor?: Actor;
  /** Set if the client waits for `100 Continue` before it sends its body. */
  sendContinue?: () => void;
};
