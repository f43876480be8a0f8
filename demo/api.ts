import { setTimeout as delay } from 'node:timers/promises';

/** The service has refused a call, or answered with what it never should. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

export type Call = { token?: string | undefined; body?: unknown };

/** The two doors of the service that speak HTTP. A call over budget waits as long as it is told to, and is made again. */
export type Api = {
  readonly url: string;
  /** A procedure such as `readers.create`. Throws ApiError. */
  procedure<Answer>(name: string, input: unknown, token?: string): Promise<Answer>;
  /** An operation of the REST API by its path below `/api/v1`. Throws ApiError. */
  get<Answer>(path: string, token: string): Promise<Answer>;
  post<Answer>(path: string, body: unknown, token: string): Promise<Answer>;
};

const tooManyRequests = 429;
const patienceMs = 30_000;

/**
 * @param url without a slash at its end
 * @param signal ends it: what is under way is waited for, and nothing more is asked
 */
export function createApi(url: string, signal: AbortSignal): Api {
  async function send(method: 'GET' | 'POST', path: string, { token, body }: Call): Promise<unknown> {
    for (;;) {
      signal.throwIfAborted();
      const response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(patienceMs),
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = parse(await response.text());
      if (response.status === tooManyRequests) {
        await delay(Number(response.headers.get('Retry-After') ?? 1) * 1000, undefined, { signal });
        continue;
      }
      if (response.ok && answer !== undefined) return answer;
      throw new ApiError(response.status, `${method} ${path}: ${reasonIn(answer) ?? `status ${response.status}`}`);
    }
  }

  return {
    url,
    async procedure<Answer>(name: string, input: unknown, token?: string) {
      const answer = await send('POST', `/trpc/${name}`, { token, body: input });
      return (answer as { result: { data: Answer } }).result.data;
    },
    get: async <Answer>(path: string, token: string) => (await send('GET', `/api/v1${path}`, { token })) as Answer,
    post: async <Answer>(path: string, body: unknown, token: string) =>
      (await send('POST', `/api/v1${path}`, { token, body })) as Answer,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What an error says: REST and tRPC put it in different places. */
function reasonIn(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as { error?: { detail?: string; message?: string } };
  return error?.detail ?? error?.message;
}

/** Works through items, so many at a time, in their order. The first failure is thrown when what has begun has ended. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  async function worker(): Promise<void> {
    while (next < items.length && !failed) {
      const index = next;
      next += 1;
      try {
        await work(items[index] as Item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: width }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
