import type { Duplex } from 'node:stream';
import { ulid } from 'ulid';
import { ContractError, errorTable } from '../server/index.js';

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'Request headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'Request was not complete in time',
};

/**
 * Answers bytes that are no HTTP request, for which there is no request object, with the contract's envelope and closes
 * the connection. A connection that the client has reset is only closed.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = new ContractError('bad_request', details[error.code ?? ''] ?? 'Request is not valid HTTP');
  const { status, title } = errorTable[known.type];
  const requestId = ulid();
  const body = JSON.stringify({
    error: { type: known.type, title, status, detail: known.message, instance: '', request_id: requestId },
  });
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
