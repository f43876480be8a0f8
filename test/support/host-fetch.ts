import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type HostInit = { method?: string; headers?: Record<string, string>; body?: string };

/** Fetches an address like `fetch`, but with any `Host`; `fetch` itself only sends the host of the address. */
export type HostFetch = (url: string, init?: HostInit) => Promise<Response>;

/** Returns a `fetch` for one host behind a proxy that directs requests by their `Host`. */
export function createHostFetch(host: string): HostFetch {
  return async (url, { method = 'GET', headers = {}, body } = {}) => {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, headers: { ...headers, Host: host } }, resolve)
        .once('error', reject)
        .end(body);
    });
    const received = new Headers();
    for (const [name, values = []] of Object.entries(message.headersDistinct)) {
      for (const value of values) received.append(name, value);
    }
    return new Response(await text(message), { status: message.statusCode ?? 0, headers: received });
  };
}
