import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHealth, type HealthOptions } from './health.js';
import type { Gateway } from './index.js';

export type ProbeServerOptions = HealthOptions & { host: string; port: number };

/**
 * Creates an HTTP server for a process without a gateway: only `/healthz`, `/readyz` and `/metrics`, as in the gateway.
 */
export function createProbeServer({ host, port, ...options }: ProbeServerOptions): Gateway {
  const handlers = new Map(Object.entries(createHealth(options).health));
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const handler = ['GET', 'HEAD'].includes(request.method ?? '') ? handlers.get(path.slice(1)) : undefined;
    if (handler) void handler(request, response);
    else response.writeHead(404, { 'Content-Length': 0 }).end();
  });
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve({ port: (server.address() as AddressInfo).port });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
