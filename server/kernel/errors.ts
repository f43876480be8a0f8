import { TRPCError } from '@trpc/server';
import {
  type FieldErrorCode,
  type FieldReason,
  type FieldReasonName,
  type FieldReasonParams,
  fieldFault,
  type PlainFieldReason,
} from './field-reasons.js';
import type { ResourceKind } from './fields.js';
import { type PlainReason, type Reason, type ReasonName, type ReasonParams, reasons } from './reasons.js';

/**
 * All error types of the API, with status and title (contract 7.2). The tRPC code, the REST envelope and the
 * description derive from this table; a type that is missing here does not compile.
 */
export const errorTable = {
  validation_error: { status: 400, title: 'Validation failed', trpc: 'BAD_REQUEST' },
  bad_request: { status: 400, title: 'Bad request', trpc: 'BAD_REQUEST' },
  unauthorized: { status: 401, title: 'Unauthorized', trpc: 'UNAUTHORIZED' },
  forbidden: { status: 403, title: 'Forbidden', trpc: 'FORBIDDEN' },
  not_found: { status: 404, title: 'Not found', trpc: 'NOT_FOUND' },
  method_not_allowed: { status: 405, title: 'Method not allowed', trpc: 'METHOD_NOT_SUPPORTED' },
  conflict: { status: 409, title: 'Conflict', trpc: 'CONFLICT' },
  gone: { status: 410, title: 'Gone', trpc: 'NOT_FOUND' },
  payload_too_large: { status: 413, title: 'Payload too large', trpc: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', trpc: 'UNSUPPORTED_MEDIA_TYPE' },
  missing_org_context: { status: 422, title: 'Missing org context', trpc: 'UNPROCESSABLE_CONTENT' },
  rate_limited: { status: 429, title: 'Rate limited', trpc: 'TOO_MANY_REQUESTS' },
  service_unavailable: { status: 503, title: 'Service unavailable', trpc: 'SERVICE_UNAVAILABLE' },
  internal_error: { status: 500, title: 'Internal server error', trpc: 'INTERNAL_SERVER_ERROR' },
} as const satisfies Record<string, { status: number; title: string; trpc: TRPCError['code'] }>;

export type ErrorType = keyof typeof errorTable;

/**
 * One entry of `error.fields`: the JSON key or parameter name, a code, a message for people, and details for programs.
 */
export type FieldError = {
  field: string;
  code: FieldErrorCode;
  message: string;
  params?: Record<string, unknown>;
  /** The reason, for the app; missing for mistakes that only programs make. The public API does not send it. */
  reason?: FieldReason;
};

/** A row that an error is about. */
export type RelatedRow = { kind: ResourceKind; id: number };

/** An error of the public contract, thrown by the server and rendered by the entry point that received the request. */
export class ContractError extends TRPCError {
  readonly type: ErrorType;
  readonly fields: readonly FieldError[] | undefined;
  /** Only for `rate_limited` and `service_unavailable`: when to retry, in whole seconds, at least 1. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * Only for `conflict`: the row that is in the way. If it is not effective, lists omit it, but it can be read by id.
   */
  readonly related: RelatedRow | undefined;
  /** The reason, for the app; undefined for mistakes that only programs make. */
  readonly reason: Reason | undefined;

  constructor(
    type: ErrorType,
    detail: string,
    options: {
      fields?: readonly FieldError[];
      cause?: unknown;
      retryAfterSeconds?: number;
      related?: RelatedRow | undefined;
      reason?: Reason;
    } = {},
  ) {
    // A detail quotes the client's input, and not every client can read half a surrogate pair.
    super({ code: errorTable[type].trpc, message: detail.toWellFormed(), cause: options.cause });
    this.name = 'ContractError';
    this.type = type;
    this.fields = options.fields?.map(wellFormed);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.related = options.related;
    this.reason = options.reason;
  }
}

/** Returns an entry with its members in the order of the contract (7.1). */
function wellFormed({ field, code, message, params, reason }: FieldError): FieldError {
  const entry: FieldError = { field: field.toWellFormed(), code, message: message.toWellFormed() };
  if (params) entry.params = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, textOf(value)]));
  if (reason) entry.reason = reason;
  return entry;
}

function textOf(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

type RefusalOptions = { cause?: unknown; related?: RelatedRow | undefined };

export function refusal(name: PlainReason, params?: undefined, options?: RefusalOptions): ContractError;
export function refusal<Name extends ReasonName>(
  name: Name,
  params: ReasonParams<Name>,
  options?: RefusalOptions,
): ContractError;
/** Returns the error that refuses a request for a reason. A parameter `seconds` says when to retry. */
export function refusal(name: ReasonName, params?: unknown, options: RefusalOptions = {}): ContractError {
  const [type, detail]: readonly [ErrorType, string | ((given: never) => string)] = reasons[name];
  const { seconds } = (params ?? {}) as { seconds?: number };
  return new ContractError(type, typeof detail === 'string' ? detail : detail(params as never), {
    ...options,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    reason: { name, params } as Reason,
  });
}

/** Returns `rate_limited` with the delay after which to retry (rounded up, at least 1 second). */
export function rateLimited(seconds: number): ContractError {
  return refusal('retry_later', { seconds: Math.max(1, Math.ceil(seconds)) });
}

/** Returns `service_unavailable` with the delay after which to retry, in whole seconds. */
export function serviceUnavailable(why: string, seconds: number, cause?: unknown): ContractError {
  return refusal('busy', { why, seconds }, { cause });
}

/**
 * Entries of `error.fields` in one answer. A body can have a hundred thousand wrong fields, and their entries would be
 * ten times larger than the body.
 */
export const fieldErrorsMax = 1000;

/**
 * Returns a `validation_error` with the first `fieldErrorsMax` fields. Its detail is the first field's message, with
 * the number of further ones appended (contract 7.1). `fields` must not be empty. If it has only the first fields,
 * `count` is their total number.
 */
export function validationError(fields: readonly FieldError[], count = fields.length): ContractError {
  const more = count - 1;
  const first = fields[0]?.message ?? '';
  const detail = more === 0 ? first : `${first} (and ${more} more validation error${more === 1 ? '' : 's'})`;
  return new ContractError('validation_error', detail, { fields: fields.slice(0, fieldErrorsMax) });
}

export function fieldError(field: string, name: PlainFieldReason): FieldError;
export function fieldError<Name extends FieldReasonName>(
  field: string,
  name: Name,
  params: FieldReasonParams<Name>,
): FieldError;
/** Returns the entry that refuses a field for a reason. */
export function fieldError(field: string, name: FieldReasonName, params?: unknown): FieldError {
  const fault = fieldFault(name, params as never);
  return { field, ...fault, message: fault.message.replaceAll('{f}', field) };
}

export function fieldRefusal(field: string, name: PlainFieldReason): ContractError;
export function fieldRefusal<Name extends FieldReasonName>(
  field: string,
  name: Name,
  params: FieldReasonParams<Name>,
): ContractError;
/** Returns the `validation_error` that refuses one field for a reason. */
export function fieldRefusal(field: string, name: FieldReasonName, params?: unknown): ContractError {
  return validationError([fieldError(field, name as never, params as never)]);
}

export const generalFaultDetail = 'An unexpected error occurred';
