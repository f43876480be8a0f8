import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createApp, type GatewayOptions, type RequestTimeouts } from './app.js';
import { closeSilent } from './client-error.js';
import { createConnectionLimit } from './connection-limit.js';

/** How long running requests may go on as usual when the service stops, before what they ask of the database is rejected. */
const finishMs = 800;
/** After this time the connections that are left are closed. */
const timeoutMs = 1900;
/** The interval at which connections without a request are closed while the service stops. */
const closeIdleEveryMs = 50;

/** How long requests and answers can take; an unauthenticated body has less time (`http-body.ts`). */
export const usualTimeouts: RequestTimeouts = {
  headersMs: 10_000,
  requestMs: 120_000,
  checkEveryMs: 1000,
  unreadMs: 30_000,
  // Longer than proxies keep idle connections (nginx 60 s, Traefik 90 s, Caddy 120 s), so that a proxy never sends a
  // request on a connection that is being closed.
  idleMs: 125_000,
};

/** The HTTP entry point. */
export type Gateway = {
  /** Resolves with the port once requests are answered; rejects if it is not available. */
  listen(): Promise<{ port: number }>;
  /**
   * Stops accepting, ends streams, and lets other requests finish: the next request of each connection is its last, and requests
   * that take longer get 503. Resolves when no connection is left.
   */
  close(): Promise<void>;
};

/** Builds the gateway; a mistake in a procedure's annotations throws here, naming the procedure. */
export function createGateway(options: GatewayOptions): Gateway {
  const { health, settings, timeouts = usualTimeouts } = options;
  const { host, port } = settings;
  const { handle, handleExpecting, onClientError, onConnect, onConnection, breakOffStreams, finishRequests } =
    createApp(options);
  // Cases that Node would answer with a bare status line are left to the pipeline.
  const limits = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
  };
  const server = createServer({ requireHostHeader: false, ...limits }, handle);
  server.on('checkExpectation', handle);
  server.on('checkContinue', handleExpecting);
  server.on('clientError', onClientError);
  server.on('connect', onConnect);
  server.on('connection', createConnectionLimit(options));
  server.on('connection', onConnection);
  // Received and sent bytes restart these times.
  server.timeout = timeouts.unreadMs;
  server.keepAliveTimeout = timeouts.idleMs;
  server.on('timeout', (socket: Socket) => void closeSilent(socket));
  // The size of all headers is limited. A limit on their number would silently drop headers, such as a credential.
  server.maxHeadersCount = 0;
  return {
    listen: () => listenOn(server, { host, port }),
    close: () =>
      new Promise((resolve) => {
        health.beginDraining();
        const finish = setTimeout(() => void finishRequests(), finishMs);
        const late = setTimeout(() => server.closeAllConnections(), timeoutMs);
        const idle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
        server.close(() => {
          clearTimeout(finish);
          clearTimeout(late);
          clearInterval(idle);
          resolve();
        });
        breakOffStreams();
      }),
  };
}

/** Resolves with the port once a server listens. */
export function listenOn(server: Server, { host, port }: { host: string; port: number }): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });
}
