import { setTimeout as delay } from 'node:timers/promises';

/** Thrown when the service rejects a call or answers with something unexpected. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

type Call = { token?: string | undefined; body?: unknown; file?: ApiFile };

/** Bytes with their media type. */
export type ApiFile = { bytes: Buffer; type: string };

/** The HTTP interfaces of the service. A call over the rate limit is repeated after the time that the service asks for. */
export type Api = {
  readonly url: string;
  /** Calls a procedure that changes something, such as `readers.create`. Throws ApiError. */
  procedure<Answer>(name: string, input: unknown, token?: string): Promise<Answer>;
  /** Calls a procedure that only reads, such as `assets.visits`. Throws ApiError. */
  query<Answer>(name: string, input: unknown, token: string): Promise<Answer>;
  /** Calls an operation of the REST API by its path below `/api/v1`. Throws ApiError. */
  get<Answer>(path: string, token: string): Promise<Answer>;
  post<Answer>(path: string, body: unknown, token: string): Promise<Answer>;
  /** Stores an image and returns its id. Throws ApiError. */
  upload(kind: 'plan', file: ApiFile, token: string): Promise<{ id: number }>;
};

const tooManyRequests = 429;
const timeoutMs = 30_000;

/**
 * Creates a client of the service.
 *
 * @param url without a slash at its end
 * @param signal once aborted, calls under way are completed and new ones are rejected
 */
export function createApi(url: string, signal: AbortSignal): Api {
  async function send(method: 'GET' | 'POST', path: string, { token, body, file }: Call): Promise<unknown> {
    for (;;) {
      signal.throwIfAborted();
      const response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(file && { 'Content-Type': file.type }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(file && { body: new Uint8Array(file.bytes) }),
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
      return resultIn(await send('POST', `/trpc/${name}`, { token, body: input })) as Answer;
    },
    async query<Answer>(name: string, input: unknown, token: string) {
      const query = new URLSearchParams({ input: JSON.stringify(input) });
      return resultIn(await send('GET', `/trpc/${name}?${query.toString()}`, { token })) as Answer;
    },
    get: async <Answer>(path: string, token: string) => (await send('GET', `/api/v1${path}`, { token })) as Answer,
    post: async <Answer>(path: string, body: unknown, token: string) =>
      (await send('POST', `/api/v1${path}`, { token, body })) as Answer,
    async upload(kind, file, token) {
      return ((await send('POST', `/files/images?kind=${kind}`, { token, file })) as { data: { id: number } }).data;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The result in an answer of tRPC. */
function resultIn(answer: unknown): unknown {
  return (answer as { result: { data: unknown } }).result.data;
}

/** The reason in an error: REST and tRPC put it in different fields. */
function reasonIn(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as { error?: { detail?: string; message?: string } };
  return error?.detail ?? error?.message;
}

/** Processes items in their order, up to `width` at a time. Throws the first failure once all calls under way have ended. */
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
