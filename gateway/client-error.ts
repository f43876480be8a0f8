import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tooSlowDetail } from './http-body.js';

const lingerMs = 1000;
const methodLengthMax = 20;
const requestTargetPattern = /^[\w!#$%&'*+.^`|~-]{1,20} (\/[^ ?#\r\n]{0,2000})/;
/** A request line anywhere in a packet: the body before it need not end with a line break. */
const requestStartPattern = /(?<![\w!#$%&'*+.^`|~-])[\w!#$%&'*+.^`|~-]{1,20} \/[^ \r\n]* HTTP\//g;
const requestLinePattern = /^([^ ]+) [^ \r\n]+ HTTP\/1\.[01]\r?\n/;
const requestIdPattern = /^x-request-id:[\t ]*([!-~\x80-\xff]+(?:[\t ]+[!-~\x80-\xff]+)*)/gim;

/** A request that Node could not parse as HTTP, and that no handler receives. */
export type ClientFault = {
  detail: string;
  path: string;
  address: string;
  /** Whether the request line is valid, but Node does not know its method. */
  isUnknownMethod: boolean;
  /** The `X-Request-ID` of such a request, if it has one. */
  requestId?: string;
};

/** The whole answer; `sendRawAnswer` adds `Content-Length` and `Connection: close`. */
export type RawAnswer = { statusLine: string; headers: OutgoingHttpHeaders; body: Buffer };

export type ClientErrorOptions = {
  answer: (fault: ClientFault) => Promise<RawAnswer>;
  /** Whether the last answer on a connection has been sent. */
  isEnding: (socket: Socket) => boolean;
  /** Whether a connection is not read, so that its client cannot finish its request. */
  isHeldBack: (socket: Socket) => boolean;
};

/**
 * Returns a listener for the server's `clientError`: malformed HTTP, oversized headers and requests that take too long
 * get the answer of `answer` instead of Node's bare status line, after the answers to the requests before (RFC 9112,
 * 9.3.2). Then the connection ends. A connection that is ending gets no second answer. A connection on which nothing
 * has arrived gets no answer, because its client would take it for the answer to the request that it sends at this
 * moment.
 */
export function createClientErrorListener({
  answer,
  isEnding,
  isHeldBack,
}: ClientErrorOptions): (error: Error, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    if (isTimeout(error)) {
      if (!isHeldBack(socket)) void onTimeout(error, socket);
    } else onFault(error, socket);
  };

  /**
   * A busy process may not have read everything yet. Reads the bytes that have arrived meanwhile first, so that a
   * request among them is served.
   */
  async function onTimeout(error: Error, socket: Socket): Promise<void> {
    const { bytesRead, bytesWritten } = socket;
    const before = requestOf(socket);
    const wasComplete = before?.complete ?? true;
    await nextTurn();
    if (bytesRead === 0) {
      // If bytes have arrived meanwhile, Node restarts their time limit.
      if (socket.bytesRead === 0) socket.destroy();
      return;
    }
    const present = requestOf(socket);
    const hasCompleted = wasComplete ? present !== before && present?.complete : before?.complete;
    // If there was no request before, only a request that has arrived meanwhile can have been answered.
    if (hasCompleted || (!before && socket.bytesWritten > bytesWritten)) return;
    onFault(error, socket);
  }

  function onFault(error: Error, socket: Socket): void {
    // Node reports another error for each further chunk.
    if (answered.has(socket)) return;
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    if (isEnding(socket)) return;
    answered.add(socket);
    void answerInTurn(error, socket);
  }

  async function answerInTurn(error: Error, socket: Socket): Promise<void> {
    const head = headOf(error);
    const path = requestTargetPattern.exec(head)?.[1];
    const isUnknownMethod = codeOf(error) === 'HPE_INVALID_METHOD' && path !== undefined && hasUnknownMethod(head);
    const requestId = isUnknownMethod ? requestIdOf(head) : undefined;
    const fault = {
      detail: detailOf(error),
      path: path ?? '/',
      address: socket.remoteAddress ?? '',
      isUnknownMethod,
      ...(requestId !== undefined && { requestId }),
    };
    await earlierAnswers(socket);
    if (socket.writable && !isEnding(socket)) await sendRawAnswer(socket, answer(fault));
  }
}

/**
 * Closes a connection on which nothing has happened within the server's time limits, `timeout` and `keepAliveTimeout`:
 * its client does not read its answer, or sends no request. A connection whose answer is still being prepared stays
 * open.
 */
export async function closeSilent(socket: Socket): Promise<void> {
  if (answerOf(socket)) {
    if (socket.writableLength > 0) socket.destroy();
    return;
  }
  // A request may have arrived while the process was busy.
  const { bytesRead } = socket;
  await nextTurn();
  if (socket.bytesRead === bytesRead) socket.destroy();
}

/**
 * Sends an answer on a connection without a valid request, and ends it. Discards what the client still sends within a
 * second, so that a reset does not overtake the answer.
 */
export async function sendRawAnswer(socket: Socket, answer: Promise<RawAnswer>): Promise<void> {
  socket.on('error', () => {});
  try {
    const { statusLine, headers, body } = await answer;
    const lines = Object.entries({ ...headers, 'Content-Length': body.length, Connection: 'close' });
    const head = [`HTTP/1.1 ${statusLine}`, ...lines.map(([name, value]) => `${name}: ${String(value)}`), '', ''];
    socket.end(Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), body]));
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  } catch {
    socket.destroy();
  }
}

/** Resolves when all requests that had arrived completely on this connection are answered. */
async function earlierAnswers(socket: Socket): Promise<void> {
  for (let next = answerOf(socket); next?.req.complete && !socket.destroyed; next = answerOf(socket)) {
    const present = next;
    await new Promise((resolve) => present.once('close', resolve));
    // Node then begins the next answer.
    await nextTurn();
  }
}

/** Returns whether an earlier request on this connection has sent part of its answer. */
function isAnswering(socket: Socket): boolean {
  return answerOf(socket)?.headersSent ?? false;
}

/** Returns the request that is arriving, or the last one until it has been answered. */
function requestOf(socket: Socket): IncomingMessage | undefined {
  return (socket as Socket & { parser?: { incoming: IncomingMessage | null } | null }).parser?.incoming ?? undefined;
}

/** Returns the answer whose turn it is. */
function answerOf(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

function detailOf(error: Error): string {
  if (codeOf(error) === 'HPE_HEADER_OVERFLOW') return 'Request headers are too large';
  if (isTimeout(error)) return tooSlowDetail;
  return 'Request is not valid HTTP';
}

function isTimeout(error: Error): boolean {
  return codeOf(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
}

function codeOf({ code }: NodeJS.ErrnoException): string | undefined {
  return code;
}

/**
 * Returns whether the bytes begin with a request line whose method Node does not know. If Node knows the method, the
 * error is further on in the bytes.
 */
function hasUnknownMethod(head: string): boolean {
  const method = requestLinePattern.exec(head)?.[1];
  return method !== undefined && !http.METHODS.includes(method);
}

/** Returns the `X-Request-ID` of a request, as Node would: several are joined. */
function requestIdOf(head: string): string | undefined {
  const headers = head.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const values = Array.from(headers.matchAll(requestIdPattern), ([, value]) => value);
  return values.length > 0 ? values.join(', ') : undefined;
}

/**
 * Returns the bytes from the request on that could not be parsed. Their packet may begin with earlier requests, whose path and
 * method are not those of the error.
 */
function headOf(error: Error & { rawPacket?: Buffer; bytesParsed?: number }): string {
  const { rawPacket, bytesParsed = 0 } = error;
  const packet = rawPacket?.toString('latin1') ?? '';
  let start = 0;
  for (const { index } of packet.matchAll(requestStartPattern)) {
    if (index > bytesParsed) break;
    start = index;
  }
  // Node stops within a method that it does not know. If no request line begins there, the last one is of an earlier request.
  const isOfEarlierRequest = codeOf(error) === 'HPE_INVALID_METHOD' && bytesParsed - start > methodLengthMax;
  return isOfEarlierRequest ? '' : packet.slice(start);
}
