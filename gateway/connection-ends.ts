import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './http-body.js';

/** A declared body up to this size is read with its head: it costs one buffer, and its connection can stay open. */
const heldBytesMin = 16 * 1024;
const discardBytesMax = 8 * 1024 * 1024;
/**
 * Connections that are drained in one turn of the event loop, each by up to two pieces of 64 KiB. Node accepts one
 * connection in each turn, so turns have to be short while very many clients send.
 */
const connectionsPerTurn = 2;
const lingerMs = 2000;

/** Requests with bodies, and connections that end after an answer that was sent before the request had fully arrived. */
export type ConnectionEnds = {
  /**
   * Prepares the answer to a request with a body. A large body is not read before something listens to the request. If
   * the body has not arrived when the answer begins, sets `Connection: close` and ends the connection with it (RFC 9112,
   * 9.6). To be called before anything is answered.
   */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Returns whether the last answer on this connection has been sent, so that no further request may be handled. */
  isEnding(socket: Socket): boolean;
};

export function createConnectionEnds(): ConnectionEnds {
  const ending = new WeakSet<Socket>();
  const discard = discardInTurns();

  return {
    watch(request, response) {
      if (!hasBody(request)) return;
      // What listens to the request resumes its socket.
      if (!(Number(request.headers['content-length']) <= heldBytesMin)) request.socket.pause();
      const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
      // Node calls this itself if a handler only sets the status and ends.
      response.writeHead = (status: number, ...rest: unknown[]) => {
        if (!request.complete) {
          ending.add(request.socket);
          response.setHeader('Connection', 'close');
          request.pause();
          discard(request.socket);
          lingerAtClose(request.socket);
        }
        return writeHead(status, ...rest);
      };
    },
    isEnding: (socket) => ending.has(socket),
  };
}

/**
 * Returns a function that discards what a client still sends after its last answer, up to 8 MiB, so that it receives the
 * answer instead of a reset. The sockets bypass the HTTP parser, and take turns: however many clients send, requests on
 * other connections are read after each megabyte.
 */
function discardInTurns(): (socket: Socket) => void {
  const waiting = new Set<Socket>();
  let next: NodeJS.Immediate | undefined;

  function wait(socket: Socket): void {
    socket.pause();
    waiting.add(socket);
    next ??= setImmediate(takeTurn);
  }

  function takeTurn(): void {
    next = undefined;
    let left = connectionsPerTurn;
    for (const socket of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(socket);
      socket.resume();
    }
    if (waiting.size > 0) next = setImmediate(takeTurn);
  }

  return (socket) => {
    let discarded = 0;
    socket.pause();
    // The parser may be reading at this moment, so it is replaced after it.
    setImmediate(() => {
      if (socket.destroyed) return;
      // At the end, the parser would report an unfinished request.
      socket.removeAllListeners('data').removeAllListeners('end');
      socket.on('data', (piece: Buffer) => {
        discarded += piece.length;
        if (discarded > discardBytesMax) socket.destroy();
        else wait(socket);
      });
      wait(socket);
    });
    socket.once('close', () => waiting.delete(socket));
  };
}

/**
 * Delays the end of a connection without keep-alive: Node destroys it once its answer is sent, and bytes still arriving
 * would reset it. It stays open until the client is done, at most 2 s after the answer.
 */
function lingerAtClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
