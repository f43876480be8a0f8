import type { ErrorEnvelope, ErrorResponse, ErrorType, FieldError } from './api.js';

/** An error response. Handle the types that you know, and others by `status`: later releases may add types. */
export class WhereaboutsError extends Error {
  /** `unrecognized_response` if the response does not come from the API, such as an error page of a proxy. */
  readonly type: ErrorType;
  readonly status: number;
  /** The `X-Request-ID` of the response, for the logs and support; empty if it has none. */
  readonly requestId: string;
  /** What is wrong with the input, field by field, for `validation_error`; empty otherwise. */
  readonly fields: readonly FieldError[];
  /** `Retry-After` in seconds, mainly for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;

  constructor(error: ErrorEnvelope, retryAfterSeconds?: number) {
    super(error.detail);
    this.name = 'WhereaboutsError';
    this.type = error.type;
    this.status = error.status;
    this.requestId = error.request_id;
    this.fields = error.fields ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the error that a response with this text reports. */
export function errorOf(response: Response, text: string, url: URL): WhereaboutsError {
  const retryAfter = response.headers.get('Retry-After');
  // A proxy can send a date instead of seconds. Such a response is treated like a response without the header.
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return new WhereaboutsError(envelopeIn(text) ?? unrecognized(response, url), seconds);
}

function envelopeIn(text: string): ErrorEnvelope | undefined {
  try {
    const error = (JSON.parse(text) as Partial<ErrorResponse> | null)?.error;
    return isEnvelope(error) ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Proxies answer in JSON too, often with a text as `error`. */
function isEnvelope(error: unknown): error is ErrorEnvelope {
  if (typeof error !== 'object' || error === null) return false;
  const { type, status, detail, request_id: requestId } = error as Record<string, unknown>;
  return [type, detail, requestId].every((text) => typeof text === 'string') && typeof status === 'number';
}

function unrecognized({ status, statusText, headers }: Response, url: URL): ErrorEnvelope {
  return {
    type: 'unrecognized_response',
    title: statusText,
    status,
    detail: `HTTP ${status} from ${url.origin}, with a body that is not an error of the API`,
    instance: url.pathname,
    request_id: headers.get('X-Request-ID') ?? '',
  };
}
