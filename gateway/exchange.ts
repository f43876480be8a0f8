import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor, Presence } from '../server/index.js';
import type { Operation } from './rest/operations.js';

/** One request on its way through the gateway, with what the steps learn of it. */
export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The path as it was asked for, without the query. */
  instance: string;
  rawQuery: string;
  clientAddress: string;
  /** Ends the statements of the request when the client leaves. */
  presence: Presence;
  pathParameters: Readonly<Record<string, string>>;
  operation?: Operation;
  /** What the route is called where it is no public operation. */
  route?: string;
  /** The answer goes on until the client leaves, so how long it takes says nothing of the service. */
  isStream?: true;
  actor?: Actor;
  /** Set where the client waits for `100 Continue` before it sends its body. */
  sendContinue?: () => void;
};
