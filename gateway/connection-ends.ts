import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './http-body.js';
import { createPostponedTasks, type PostponedTasks } from './postponed-tasks.js';

/**
 * A body whose declared length is at most this is read with its head: it costs one buffer, and its connection can stay
 * open.
 */
const heldBytesMin = 16 * 1024;
const discardBytesMax = 8 * 1024 * 1024;
/** Requests with large bodies that are handled in one turn of the event loop. */
const requestsPerTurn = 1;
/** Connections that are drained in one turn of the event loop, each by up to two pieces of 64 KiB. */
const drainedPerTurn = 2;
const lingerMs = 2000;

/** Requests with bodies, and connections that end after an answer that was sent before the request had fully arrived. */
export type ConnectionEnds = {
  /** Call this for each new connection. */
  onConnection(): void;
  /**
   * Prepares the answer to a request, and calls `answer`. If the body has not arrived when the answer begins, sets
   * `Connection: close` and ends the connection with it (RFC 9112, 9.6). A body that is large, or whose length is not
   * declared, is not read before something listens to the request. If the declared length is large, `answer` is called
   * after new connections have been accepted.
   */
  watch(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** Makes this request the last one of its connection: its answer ends the connection, and later requests are ignored. */
  endAfter(request: IncomingMessage, response: ServerResponse): void;
  /** Returns whether the last answer on this connection has been sent, so that no further answer may be. */
  isEnding(socket: Socket): boolean;
  /** Returns whether the last request of this connection has arrived, so that no further request may be handled. */
  hasLast(socket: Socket): boolean;
};

export function createConnectionEnds(): ConnectionEnds {
  const ending = new WeakSet<Socket>();
  const last = new WeakSet<Socket>();
  const requests = createPostponedTasks(requestsPerTurn);
  const drains = createPostponedTasks(drainedPerTurn);

  return {
    onConnection() {
      requests.onConnection();
      drains.onConnection();
    },
    watch(request, response, answer) {
      if (!hasBody(request)) {
        answer();
        return;
      }
      const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
      // Node calls this itself if a handler only sets the status and ends.
      response.writeHead = (status: number, ...rest: unknown[]) => {
        if (!request.complete) {
          ending.add(request.socket);
          response.setHeader('Connection', 'close');
          request.pause();
          discard(request.socket, drains);
          lingerAtClose(request.socket);
        }
        return writeHead(status, ...rest);
      };
      const length = Number(request.headers['content-length']);
      // A listener on the request resumes its socket, unless the body has arrived, as while the request waited for its turn.
      if (!request.complete && !(length <= heldBytesMin)) request.socket.pause();
      // A body without a declared length may have arrived already. Node then reads on, to notice when the client closes
      // the connection.
      if (!(length > heldBytesMin)) {
        answer();
        return;
      }
      requests.add(() => {
        if (!request.socket.destroyed) answer();
      });
    },
    endAfter(request, response) {
      last.add(request.socket);
      response.shouldKeepAlive = false;
    },
    isEnding: (socket) => ending.has(socket),
    hasLast: (socket) => last.has(socket) || ending.has(socket),
  };
}

/**
 * Discards what a client still sends after its last answer, up to 8 MiB, so that it receives the answer instead of a
 * reset. The sockets bypass the HTTP parser, and take turns.
 */
function discard(socket: Socket, drains: PostponedTasks): void {
  const resume = () => socket.resume();
  let discarded = 0;

  function wait(): void {
    socket.pause();
    drains.add(resume);
  }

  socket.pause();
  // The parser may be reading at this moment, so it is replaced after it.
  setImmediate(() => {
    if (socket.destroyed) return;
    // At the end, the parser would report an unfinished request.
    socket.removeAllListeners('data').removeAllListeners('end');
    socket.on('data', (piece: Buffer) => {
      discarded += piece.length;
      if (discarded > discardBytesMax) socket.destroy();
      else wait();
    });
    wait();
  });
  socket.once('close', () => drains.drop(resume));
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
