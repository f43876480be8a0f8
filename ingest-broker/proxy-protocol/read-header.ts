import type { Socket } from 'node:net';
import { parseProxyHeader, type ProxyHeader } from './header.js';

export type HeaderReading = {
  socket: Socket;
  /** How long the header, or the first bytes of a connection without one, may take. */
  timeoutMs: number;
  /**
   * Called once the header has arrived, or is known to be missing, with the client's address if it reports one. The
   * socket then has everything that follows the header.
   */
  onHeader(address: string | undefined): void;
  /** Called for a malformed or incomplete header; the connection has been closed. Silent connections are only closed. */
  onMalformed(reason: string): void;
};

/**
 * Takes the header of the PROXY protocol from the beginning of a connection, before MQTT or TLS see it. The header may
 * arrive in pieces, and may be missing. Never buffers more than its maximum length.
 */
export function readProxyHeader({ socket, timeoutMs, onHeader, onMalformed }: HeaderReading): void {
  let begun: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => {
    stop();
    socket.destroy();
    if (begun.length > 0) onMalformed('the header is incomplete');
  }, timeoutMs);

  function stop(): void {
    clearTimeout(timer);
    socket.off('readable', read);
    socket.off('close', stop);
  }

  function read(): void {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    begun = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    let header: ProxyHeader | undefined;
    try {
      header = parseProxyHeader(begun);
    } catch (error) {
      stop();
      socket.destroy();
      onMalformed((error as Error).message);
      return;
    }
    if (header) finish(header);
  }

  function finish({ headerBytes, address }: ProxyHeader): void {
    stop();
    const rest = begun.subarray(headerBytes);
    if (rest.length > 0) socket.unshift(rest);
    onHeader(address);
  }

  socket.on('readable', read);
  socket.once('close', stop);
}
