import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

const LINGER_MS = 1000;
const REQUEST_TARGET = /^[A-Z]{1,20} (\/[^ ?#\r\n]{0,2000})/;

/** A request that Node could not read as HTTP, so that no handler ever sees it. */
export type ClientFault = { detail: string; path: string; address: string };

/** The whole answer; the listener adds `Content-Length` and `Connection: close`. */
export type ClientFaultAnswer = { statusLine: string; headers: OutgoingHttpHeaders; body: Buffer };

/**
 * A listener for the server's `clientError`: malformed HTTP and oversized headers get the answer that `answer` makes
 * instead of Node's bare line, then the connection ends. What the client still sends within a second is thrown away,
 * so that a reset does not overtake the answer.
 */
export function createClientErrorListener(
  answer: (fault: ClientFault) => Promise<ClientFaultAnswer>,
): (error: Error, socket: Socket) => void {
  const answered = new WeakSet<Socket>();
  return (error, socket) => {
    // The rest of a flood is one more error each time it arrives.
    if (answered.has(socket)) return;
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    socket.on('error', () => {});
    void respond(socket, { detail: detailOf(error), path: pathOf(error), address: socket.remoteAddress ?? '' });
  };

  async function respond(socket: Socket, fault: ClientFault): Promise<void> {
    try {
      send(socket, await answer(fault));
    } catch {
      socket.destroy();
    }
  }
}

function send(socket: Socket, { statusLine, headers, body }: ClientFaultAnswer): void {
  const lines = Object.entries({ ...headers, 'Content-Length': body.length, Connection: 'close' });
  const head = [`HTTP/1.1 ${statusLine}`, ...lines.map(([name, value]) => `${name}: ${String(value)}`), '', ''];
  socket.end(Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), body]));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Whether an earlier request on this connection already has part of its answer on the wire. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: message } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return message?.headersSent ?? false;
}

function detailOf(error: Error & { code?: string }): string {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'Request headers are too large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'Request took too long to arrive';
  return 'Request is not valid HTTP';
}

/** The path where the faulty bytes begin with a request line, which they need not. */
function pathOf(error: Error & { rawPacket?: Buffer }): string {
  return REQUEST_TARGET.exec(error.rawPacket?.toString('latin1', 0, 2100) ?? '')?.[1] ?? '/';
}
