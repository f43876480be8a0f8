import { Agent, request as httpRequest } from 'node:http';
import type { Answer } from './answer.js';
import { requireDescribed } from './described.js';

export type CallOptions = {
  body?: unknown;
  /** Sent as it is instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
};

export type RestClient = {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
};

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * A client of the REST contract. Every answer below `/api/v1` is checked against the description before the test gets
 * it, so that no test can pass on an answer that the description does not promise.
 */
export function createClient(url: string, token?: string): RestClient {
  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const headers: Record<string, string> = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(payload === undefined
        ? {}
        : { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
      ...options.headers,
    };
    for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name];
    const answer = await send(`${url}${path}`, { method, headers, payload });
    await requireDescribed(url, { method, path, answer });
    return answer;
  }
  return {
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
    delete: (path) => call('DELETE', path),
  };
}

type Outgoing = { method: string; headers: Record<string, string>; payload: string | Buffer | undefined };

function send(url: string, { method, headers, payload }: Outgoing): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = payload === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(payload)) };
    const outgoing = httpRequest(url, { method, agent, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers: flat, text, body: parse(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
