import { createServer, type Server, type ServerOptions, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listener = AsyncDisposable & { server: Server; port: number; url: string };

/** A bare HTTP server on a free port, for pieces of the gateway that need no more. */
export async function createListener(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  options: ServerOptions = {},
): Promise<Listener> {
  const server = createServer(options, (request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
