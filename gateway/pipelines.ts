import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that arrive on a connection before the answer to an earlier one has been sent. */
export type Pipelines = {
  /** Handles a request once the requests before it on its connection have been answered. */
  handle(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  /** Returns whether a connection is not read, because a request that has arrived waits. */
  isHeldBack(socket: Socket): boolean;
};

/**
 * Node parses all requests of a piece of 64 KiB at once, and sends the answers in order. Without this, one client could have
 * hundreds of requests handled in one turn of the event loop over each connection.
 */
export function createPipelines(): Pipelines {
  /** The requests that wait, of connections that have one under way. */
  const queues = new WeakMap<Socket, (() => void)[]>();
  const watched = new WeakSet<Socket>();

  function isHeldBack(socket: Socket): boolean {
    return (queues.get(socket)?.length ?? 0) > 0;
  }

  /** Stops reading a connection while requests wait. Node reads on after each request that has arrived completely. */
  function holdBack(socket: Socket): void {
    socket.pause();
    if (watched.has(socket)) return;
    watched.add(socket);
    socket.on('resume', () => {
      if (isHeldBack(socket)) socket.pause();
    });
  }

  function start(response: ServerResponse, socket: Socket, handle: () => void): void {
    response.once('close', () => goOn(socket));
    handle();
  }

  function goOn(socket: Socket): void {
    const next = socket.destroyed ? undefined : queues.get(socket)?.shift();
    if (next) setImmediate(next);
    else queues.delete(socket);
  }

  return {
    handle(request, response, handle) {
      const { socket } = request;
      const waiting = queues.get(socket);
      if (!waiting) {
        queues.set(socket, []);
        start(response, socket, handle);
        return;
      }
      holdBack(socket);
      waiting.push(() => {
        // A body that has not arrived resumes the connection when it is read.
        if (waiting.length === 0 && request.complete) socket.resume();
        start(response, socket, handle);
      });
    },
    isHeldBack,
  };
}
