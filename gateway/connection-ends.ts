import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { discardBody, hasBody } from './http-body.js';

/** Connections that end after an answer that was sent before the request had fully arrived. */
export type ConnectionEnds = {
  /**
   * Prepares the answer to a request with a body: if the body has not arrived when the answer begins, sets `Connection:
   * close` and ends the connection with it (RFC 9112, 9.6). To be called before anything is answered.
   */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Returns whether the last answer on this connection has been sent, so that no further request may be handled. */
  isEnding(socket: Socket): boolean;
};

export function createConnectionEnds(): ConnectionEnds {
  const ending = new WeakSet<Socket>();

  return {
    watch(request, response) {
      if (!hasBody(request)) return;
      const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
      // Node calls this itself if a handler only sets the status and ends.
      response.writeHead = (status: number, ...rest: unknown[]) => {
        if (!request.complete) {
          ending.add(request.socket);
          response.setHeader('Connection', 'close');
          discardBody(request);
        }
        return writeHead(status, ...rest);
      };
    },
    isEnding: (socket) => ending.has(socket),
  };
}
