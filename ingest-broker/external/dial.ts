import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ExternalBroker } from '../../server/index.js';

export type Destination = Pick<ExternalBroker, 'host' | 'port' | 'isTls'> & { ca: Buffer | undefined };

/** Begins a connection to the broker; over TLS its certificate must hold for its host. */
export function dial({ host, port, isTls, ca }: Destination, onConnected: () => void): Socket {
  if (!isTls) return connect({ host, port, noDelay: true }, onConnected);
  // Only a name can be asked for in the handshake; an address is compared with the certificate as well.
  const servername = isIP(host) === 0 && { servername: host };
  return connectTls({ host, port, ...servername, ...(ca && { ca }) }, onConnected).setNoDelay(true);
}
