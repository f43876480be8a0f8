import { createServer } from 'node:http';
import { type Gateway, listenOn } from './index.js';
import type { Handler } from './probes.js';

export type ProbeServerOptions = { host: string; port: number; handlers: ReadonlyMap<string, Handler> };

/** Creates an HTTP server only for health checks and metrics: a few paths, and 404 for everything else. */
export function createProbeServer({ host, port, handlers }: ProbeServerOptions): Gateway {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const handler = ['GET', 'HEAD'].includes(request.method ?? '') ? handlers.get(path) : undefined;
    if (handler) void handler(request, response);
    else response.writeHead(404, { 'Content-Length': 0 }).end();
  });
  return {
    listen: () => listenOn(server, { host, port }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
