import type { Operation } from '../rest/operations.js';
import type { Header, Reference } from './openapi.js';

/** Every header that the API declares, by name. */
export const headers = {
  'X-Request-ID': {
    description: 'Names this exchange in logs: what the request sent under that name, or else a new ULID.',
    schema: { type: 'string', example: '01JZ8M5T9Q4W7X2C3V6B8N0KHD' },
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the budget holds when it is full.',
    schema: { type: 'integer', minimum: 1, example: 3000 },
  },
  'X-RateLimit-Remaining': {
    description: 'How many requests are left of the budget.',
    schema: { type: 'integer', minimum: 0, example: 2998 },
  },
  'X-RateLimit-Reset': {
    description: 'When the budget is full again, in seconds since 1970-01-01 UTC.',
    schema: { type: 'integer', minimum: 0, example: 1782043265 },
  },
  Location: {
    description: 'The path of what was created.',
    schema: { type: 'string', format: 'uri-reference', example: '/api/v1/assets/42' },
  },
  'WWW-Authenticate': {
    description: 'How to present a credential.',
    schema: { type: 'string', enum: ['Bearer realm="service-api"'] },
  },
  Allow: {
    description: 'The methods that the path takes.',
    schema: { type: 'string', example: 'GET, HEAD, POST' },
  },
  'Retry-After': {
    description: 'How many seconds to wait before asking again.',
    schema: { type: 'integer', minimum: 1, example: 12 },
  },
  Link: {
    description:
      'The row that is in the way, if there is one. Lists omit it while it is not effective; reading it by id returns it.',
    schema: { type: 'string', example: '</api/v1/assets/42>; rel="related"' },
  },
  Deprecation: {
    description: 'The operation is going to be retired.',
    schema: { type: 'string', enum: ['true'] },
  },
  Sunset: {
    description: 'When the operation stops answering, as an HTTP date.',
    schema: { type: 'string', example: 'Thu, 31 Dec 2026 23:59:59 GMT' },
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

const everyAnswer = ['X-Request-ID', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

const ofStatus: Record<string, readonly HeaderName[]> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Link'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Returns references to the headers of an operation's answer with a status. */
export function headersOf({ meta }: Operation, status: number): Record<string, Reference> {
  // A 405 is returned before the operation is known, so it has no deprecation headers.
  const retirement: HeaderName[] = meta.deprecation && status !== 405 ? ['Deprecation', 'Sunset'] : [];
  const names = [...everyAnswer, ...(ofStatus[status] ?? []), ...retirement];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers that answers refer to, by name. Except for `Link`, a declared header is always present. */
export function headerComponents(used: ReadonlySet<string>): Record<string, Header> {
  const found = Object.entries(headers).filter(([name]) => used.has(name));
  return Object.fromEntries(found.map(([name, header]) => [name, { ...header, required: name !== 'Link' }]));
}
