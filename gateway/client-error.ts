import http, { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tooSlowDetail } from './body-rejections.js';

const lingerMs = 1000;
const requestTargetPattern = /^[\w!#$%&'*+.^`|~-]{1,20} (\/[^ ?#\r\n]{0,2000})/;
const requestLinePattern = /^([^ ]+) [^ \r\n]+ HTTP\/1\.[01]\r?\n/;

/** A request that Node could not parse as HTTP, and that no handler receives. */
export type ClientFault = {
  detail: string;
  path: string;
  address: string;
  /** Whether the request line is valid, but its method is none that Node knows. */
  isUnknownMethod: boolean;
};

/** The whole answer; `sendRawAnswer` adds `Content-Length` and `Connection: close`. */
export type RawAnswer = { statusLine: string; headers: OutgoingHttpHeaders; body: Buffer };

export type ClientErrorOptions = {
  answer: (fault: ClientFault) => Promise<RawAnswer>;
  /** Whether the last answer on a connection has been sent. */
  isEnding: (socket: Socket) => boolean;
};

/**
 * Returns a listener for the server's `clientError`: malformed HTTP and oversized headers get the answer of `answer`
 * instead of Node's bare status line, after the answers to the requests before (RFC 9112, 9.3.2). Then the connection
 * ends. A connection that is ending gets no second answer.
 */
export function createClientErrorListener({
  answer,
  isEnding,
}: ClientErrorOptions): (error: Error, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    // Each further part of a flood is another error.
    if (answered.has(socket)) return;
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    if (isEnding(socket)) return;
    answered.add(socket);
    void answerInTurn(error, socket);
  };

  async function answerInTurn(error: Error, socket: Socket): Promise<void> {
    const head = headOf(error);
    const path = requestTargetPattern.exec(head)?.[1];
    const fault = {
      detail: detailOf(error),
      path: path ?? '/',
      address: socket.remoteAddress ?? '',
      isUnknownMethod: isInvalidMethod(error) && path !== undefined && hasUnknownMethod(head),
    };
    await earlierAnswers(socket);
    if (socket.writable && !isEnding(socket)) await sendRawAnswer(socket, answer(fault));
  }
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

/** Resolves when the requests are answered that had arrived completely on this connection. */
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

/** Returns the answer whose turn it is. */
function answerOf(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

function detailOf(error: Error & { code?: string }): string {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'Request headers are too large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlowDetail;
  return 'Request is not valid HTTP';
}

function isInvalidMethod({ code }: Error & { code?: string }): boolean {
  return code === 'HPE_INVALID_METHOD';
}

/**
 * Returns whether the bytes begin with the request line of another method. A known one was parsed, and the error comes
 * after it.
 */
function hasUnknownMethod(head: string): boolean {
  const method = requestLinePattern.exec(head)?.[1];
  return method !== undefined && !http.METHODS.includes(method);
}

/** Returns the beginning of the bytes that could not be parsed. */
function headOf({ rawPacket }: Error & { rawPacket?: Buffer }): string {
  return rawPacket?.toString('latin1', 0, 4200) ?? '';
}
