import { type Operations, operations } from './api.js';
import { errorOf, WhereaboutsError } from './error.js';

export type ClientOptions = {
  /** The address of the service, such as `https://things.example.com`. */
  baseUrl: string;
  /** An API key, or a function that returns one. The function is called before each attempt. */
  token: string | (() => string | Promise<string>);
  /** `globalThis.fetch` by default. */
  fetch?: typeof fetch;
  /** The most attempts of one call; 5 by default, 1 to never repeat a request. */
  attemptsMax?: number;
};

/** The signal ends the call: a request as well as the delay before the next attempt. */
type CallOptions = { signal?: AbortSignal };

type Arguments<Input> = {} extends Input ? [input?: Input & CallOptions] : [input: Input & CallOptions];

/** One method for each operation of the API, named by its id. */
export type Client = {
  [Name in keyof Operations]: (...input: Arguments<Operations[Name]['input']>) => Promise<Operations[Name]['output']>;
};

type Operation = { method: string; path: string; contentType?: string };

type Input = {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
} & CallOptions;

type Outcome = { response: Response; text: string } | { failure: unknown };

const attemptsMaxDefault = 5;
const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** A longer delay is left to the caller. */
const longestRetryAfterSeconds = 60;

/**
 * Returns a client of one service. Its methods return the body of the response. They throw `WhereaboutsError` for any
 * response other than a success, and the error of `fetch` if there is no response.
 *
 * Every request is repeated after 429, which the service sends before it does anything. A `GET` is repeated after 500
 * to 599 and failures of the network as well. Other methods are not repeated then, because the service may have made
 * the change. The delay comes from `Retry-After`, or grows from one second to thirty.
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    async (input: Input = {}) => call(options, operation, input),
  ]);
  return Object.fromEntries(methods) as Client;
}

async function call(options: ClientOptions, operation: Operation, input: Input): Promise<unknown> {
  const { attemptsMax = attemptsMaxDefault, fetch = globalThis.fetch } = options;
  const url = urlOf(options.baseUrl, operation, input);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await outcomeOf(fetch, url, await requestOf(options, operation, input));
    if ('response' in outcome && outcome.response.ok) return outcome.text === '' ? undefined : JSON.parse(outcome.text);
    const error = 'response' in outcome ? errorOf(outcome.response, outcome.text, url) : outcome.failure;
    if (attempt >= attemptsMax || input.signal?.aborted || !isRepeatable(error, operation)) throw error;
    await delay(delayMs(error, attempt), input.signal);
  }
}

async function requestOf({ token }: ClientOptions, { method, contentType }: Operation, { body, signal }: Input) {
  const credential = typeof token === 'string' ? token : await token();
  return {
    method,
    headers: {
      Authorization: `Bearer ${credential}`,
      ...(contentType !== undefined && { 'Content-Type': contentType }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

/** Returns the response with its whole text, or the failure of the network; a connection can also break within a body. */
async function outcomeOf(fetch: typeof globalThis.fetch, url: URL, request: RequestInit): Promise<Outcome> {
  try {
    const response = await fetch(url, request);
    return { response, text: await response.text() };
  } catch (failure) {
    return { failure };
  }
}

function urlOf(baseUrl: string, { path }: Operation, input: Input): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braced, key: string) => encodeURIComponent(String(input.path?.[key])));
  const url = new URL(`${baseUrl.replace(/\/$/, '')}${filled}`);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      url.searchParams.append(name, String(item));
  }
  return url;
}

function isRepeatable(error: unknown, { method }: Operation): boolean {
  if (!(error instanceof WhereaboutsError)) return method === 'GET';
  if ((error.retryAfterSeconds ?? 0) > longestRetryAfterSeconds) return false;
  return error.status === 429 || (error.status >= 500 && method === 'GET');
}

function delayMs(error: unknown, attempt: number): number {
  const seconds = error instanceof WhereaboutsError ? error.retryAfterSeconds : undefined;
  if (seconds !== undefined) return seconds * 1000;
  // The random part keeps clients that failed together from repeating together.
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.5 + Math.random() / 2);
}

async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
