import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const DISCARD_BYTES_MAX = 8 * 1024 * 1024;
const LINGER_MS = 2000;
const EMPTY = Buffer.alloc(0);

/** The body is longer than allowed. The connection still takes the answer. */
export class BodyTooLargeError extends Error {
  readonly bytesMax: number;

  constructor(bytesMax: number) {
    super(`the body is longer than ${bytesMax} bytes`);
    this.name = 'BodyTooLargeError';
    this.bytesMax = bytesMax;
  }
}

/** The client went away before its body had arrived: nobody is left to answer. */
export class BodyAbortedError extends Error {
  constructor() {
    super('the client went away while sending its body');
    this.name = 'BodyAbortedError';
  }
}

/**
 * The whole body of a request, empty where it has none. To be called once, before anything else listens to the request.
 *
 * A body over `bytesMax` is refused as soon as that is known: by its declared length, or while it streams. What still
 * arrives is read and thrown away, up to 8 MiB, so that the client gets to read the answer instead of a reset; past that
 * the connection is cut. A connection that was to close does so when the client is done, or 2 s after the answer. How long a body may take is bounded by the server's `requestTimeout`.
 *
 * @throws BodyTooLargeError
 * @throws BodyAbortedError
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(EMPTY);
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    discardBody(request);
    return Promise.reject(new BodyTooLargeError(bytesMax));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;

    function onData(chunk: Buffer): void {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= bytesMax) return;
      stop();
      discardBody(request);
      reject(new BodyTooLargeError(bytesMax));
    }
    function onEnd(): void {
      stop();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length));
    }
    function onAborted(): void {
      stop();
      // An error that nobody hears any more would end the process.
      request.on('error', ignore);
      reject(new BodyAbortedError());
    }
    function stop(): void {
      request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted);
    }

    if (request.destroyed) {
      onAborted();
      return;
    }
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted);
  });
}

/**
 * Whether the body arrives in an encoding other than itself, such as gzip. The service reads none, and says so (415)
 * instead of calling the bytes malformed.
 */
export function hasUnsupportedEncoding(request: IncomingMessage): boolean {
  const encoding = request.headers['content-encoding'];
  return encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity';
}

function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Throws away what arrives of a body that nobody will read, because the request is refused without it. Bounded as in
 * `readBody`; a request without a body is left alone.
 */
export function discardBody(request: IncomingMessage): void {
  if (!hasBody(request)) return;
  let discarded = 0;
  request.on('error', ignore);
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARD_BYTES_MAX) request.destroy();
  });
  lingerAtClose(request.socket);
}

/** Node destroys a connection that is not kept alive once its answer is out; bytes still on their way would then reset it. */
function lingerAtClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}

function ignore(): void {}
