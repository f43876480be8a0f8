import type { Socket } from 'node:net';
import { createAddressSet, createConnectionCounts, type Log, type Settings } from '../server/index.js';

const warnEveryMs = 60_000;

/**
 * Returns a listener that closes new connections above the limit of an address, and logs a warning once a minute.
 * Trusted proxies are not limited, since they connect for many clients.
 */
export function createConnectionLimit({
  settings,
  log,
  now = Date.now,
}: {
  settings: Settings;
  log: Log;
  now?: () => number;
}): (socket: Socket) => void {
  const counts = createConnectionCounts({ perAddressMax: settings.httpConnectionsPerAddress });
  const isTrusted = createAddressSet(settings.trustedProxies);
  let warnedAtMs = Number.NEGATIVE_INFINITY;

  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address)) return;
    const release = counts.take(address);
    if (release) {
      socket.once('close', release);
      return;
    }
    socket.destroy();
    if (now() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = now();
    log.warn({ address, setting: 'HTTP_CONNECTIONS_PER_ADDRESS' }, 'too many HTTP connections from one address');
  };
}
