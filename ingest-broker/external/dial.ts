import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ExternalBroker } from '../../server/index.js';

export type Destination = Pick<ExternalBroker, 'host' | 'port' | 'isTls'> & { ca: Buffer | undefined };

/** Connects to the broker; with TLS its certificate must be valid for its host. */
export function dial({ host, port, isTls, ca }: Destination, onConnected: () => void): Socket {
  if (!isTls) return connect({ host, port, noDelay: true }, onConnected);
  // The handshake can only name a host name; an address is compared with the certificate as well.
  const servername = isIP(host) === 0 && { servername: host };
  return connectTls({ host, port, ...servername, ...(ca && { ca }) }, onConnected).setNoDelay(true);
}
