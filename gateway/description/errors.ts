import { type ErrorType, errorTable, fieldErrorCodes } from '../../server/index.js';
import type { Operation } from '../rest/operations.js';
import { type Schema, schemaRef } from './openapi.js';

type ErrorWords = { occurs: (operation: Operation) => boolean; words: string };

const always = () => true;
const hasBody = ({ contentType }: Operation) => contentType !== undefined;

/** For each error type: the operations that can return it, and its meaning for readers of the description. */
const errorWords: Record<ErrorType, ErrorWords> = {
  validation_error: {
    occurs: always,
    words: 'One or more fields or parameters are invalid; `fields` lists them with the reasons.',
  },
  bad_request: { occurs: hasBody, words: 'The body is not a JSON object.' },
  unauthorized: { occurs: always, words: 'The `Authorization` header has no valid credential.' },
  forbidden: {
    occurs: ({ meta }) => (meta.scopes ?? []).length > 0,
    words: 'The credential is valid but lacks a required scope.',
  },
  not_found: { occurs: always, words: 'The resource does not exist or is deleted, or the path is unknown.' },
  method_not_allowed: {
    occurs: always,
    words: 'The path does not support this method; `Allow` lists the supported methods.',
  },
  conflict: {
    occurs: ({ meta }) => meta.conflicts === true,
    words: 'The request is valid but conflicts with the current state; nothing was changed.',
  },
  gone: { occurs: ({ meta }) => meta.deprecation !== undefined, words: 'The operation has been removed.' },
  payload_too_large: { occurs: hasBody, words: 'The body exceeds the maximum size.' },
  unsupported_media_type: {
    occurs: hasBody,
    words: 'The operation does not support the media type of the body.',
  },
  missing_org_context: {
    occurs: ({ meta }) => meta.keysOnly === true,
    words: 'The organization of the key no longer exists.',
  },
  rate_limited: { occurs: always, words: 'The rate limit is exceeded; `Retry-After` gives the delay.' },
  service_unavailable: {
    occurs: always,
    words: 'The service is too busy, or its database is unavailable; `Retry-After` gives the delay.',
  },
  internal_error: {
    occurs: always,
    words: 'The service failed. Retry with increasing delays; `request_id` identifies the entry in its log.',
  },
};

const errorTypes = Object.keys(errorTable) as ErrorType[];

/** Returns the error types that an operation can return, by ascending status. */
export function errorsOf(operation: Operation): Map<number, ErrorType[]> {
  const byStatus = new Map<number, ErrorType[]>();
  for (const type of errorTypes.filter((type) => errorWords[type].occurs(operation))) {
    const { status } = errorTable[type];
    byStatus.set(status, [...(byStatus.get(status) ?? []), type]);
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}

export function wordsOfError(type: ErrorType): string {
  return errorWords[type].words;
}

/**
 * Returns the schemas that all errors share; the enums contain exactly what these operations can send (contract 7.2,
 * 7.3).
 */
export function errorSchemas(operations: readonly Operation[]): Record<string, Schema> {
  return {
    ErrorResponse: {
      type: 'object',
      description: 'What every answer other than a success or a redirect holds.',
      properties: { error: schemaRef('ErrorEnvelope') },
      required: ['error'],
    },
    ErrorEnvelope: {
      type: 'object',
      description: 'Why the request was refused.',
      properties: {
        type: schemaRef('ErrorType'),
        title: { type: 'string', description: 'Heading of the type, always the same for one type.' },
        status: { type: 'integer', description: 'The HTTP status once more.', minimum: 400, maximum: 599 },
        detail: { type: 'string', description: 'What happened this time, for people.' },
        instance: { type: 'string', description: 'The path that was asked for.' },
        request_id: { type: 'string', description: 'The `X-Request-ID` of the answer.' },
        fields: {
          type: 'array',
          description: 'What is wrong with the input, field by field; only with `validation_error`.',
          items: schemaRef('FieldError'),
          minItems: 1,
        },
      },
      required: ['type', 'title', 'status', 'detail', 'instance', 'request_id'],
    },
    ErrorType: {
      type: 'string',
      description: 'Names the kind of error for programs. Later releases may add values: fall back on the status.',
      enum: errorTypes.filter((type) => operations.some(errorWords[type].occurs)),
    },
    FieldError: {
      type: 'object',
      description: 'What is wrong with one field.',
      properties: {
        field: { type: 'string', description: 'The JSON key or the name of the parameter.' },
        code: schemaRef('FieldErrorCode'),
        message: { type: 'string', description: 'What is wrong, for people.' },
        params: {
          type: 'object',
          description: 'The figures of the rule that was broken, such as `max_length`, by name.',
          additionalProperties: true,
        },
      },
      required: ['field', 'code', 'message'],
    },
    FieldErrorCode: {
      type: 'string',
      description: 'Names the rule that was broken. Later releases may add values: treat those as `invalid_value`.',
      enum: [...fieldErrorCodes],
    },
  };
}
