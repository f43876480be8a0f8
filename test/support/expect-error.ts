import { expect } from 'vitest';
import type { Answer } from './answer.js';

// The error object (contract 7.1), written down here from docs/contract.md, so that no test repeats what the service says of itself.

const titles: Record<string, [status: number, title: string]> = {
  validation_error: [400, 'Validation failed'],
  bad_request: [400, 'Bad request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  conflict: [409, 'Conflict'],
  payload_too_large: [413, 'Payload too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  missing_org_context: [422, 'Missing org context'],
  rate_limited: [429, 'Rate limited'],
  service_unavailable: [503, 'Service unavailable'],
};

type Refusal = { type: string; detail?: string | RegExp; instance?: string };

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any, no-unused-vars
  // oxlint-disable-next-line typescript/consistent-type-definitions -- extends an interface of the library
  interface Matchers<T = any> {
    /** An answer in the error envelope, of this type. */
    toBeError(refusal: Refusal): void;
    /** A `validation_error` with exactly these entries, in this order. */
    toBeInvalid(...fields: FieldRefusal[]): void;
  }
}

expect.extend({
  toBeError(answer: Answer, refusal: Refusal) {
    expectError(answer, refusal);
    return { pass: true, message: () => `the answer is ${refusal.type}` };
  },
  toBeInvalid(answer: Answer, ...fields: FieldRefusal[]) {
    expectInvalid(answer, fields);
    return { pass: true, message: () => `the answer names ${fields.map(({ field }) => field).join()}` };
  },
});

/** Holds an answer against the error envelope: its status and title by its type, its ids, its media type, its headers. */
function expectError(answer: Answer, { type, detail, instance }: Refusal): void {
  const [status, title] = titles[type] ?? [0, ''];
  const received = `${answer.status} ${answer.text}`;
  expect(answer.body?.error?.type, received).toBe(type);
  expect(answer.status, received).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer realm="service-api"' : undefined);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(answer.headers[name], name).toMatch(/^\d+$/);
  }
  expect(Object.keys(answer.body)).toEqual(['error']);
  const { error } = answer.body;
  const keys = ['detail', 'instance', 'request_id', 'status', 'title', 'type'];
  expect(Object.keys(error).sort()).toEqual(type === 'validation_error' ? [...keys, 'fields'].sort() : keys);
  expect(error).toMatchObject({
    title,
    status,
    request_id: answer.headers['x-request-id'],
    instance: expect.any(String),
  });
  expect(error.detail).not.toBe('');
  if (detail instanceof RegExp) expect(error.detail).toMatch(detail);
  else if (detail !== undefined) expect(error.detail).toBe(detail);
  if (instance !== undefined) expect(error.instance).toBe(instance);
}

type FieldRefusal = { field: string; code: string; message?: string | RegExp; params?: Record<string, unknown> };

/** Holds a `validation_error` against exactly these entries, in this order; its detail is the first one's message. */
function expectInvalid(answer: Answer, expected: readonly FieldRefusal[]): void {
  expectError(answer, { type: 'validation_error' });
  const fields: FieldRefusal[] = answer.body.error.fields;
  expect(
    fields.map(({ field, code }) => `${field}: ${code}`),
    answer.text,
  ).toEqual(expected.map(({ field, code }) => `${field}: ${code}`));
  for (const [index, { message, params }] of expected.entries()) {
    const entry = fields[index] as FieldRefusal;
    expect(Object.keys(entry).filter((key) => !['field', 'code', 'message', 'params'].includes(key))).toEqual([]);
    if (message instanceof RegExp) expect(entry.message).toMatch(message);
    else if (message !== undefined) expect(entry.message).toBe(message);
    if (params !== undefined) expect(entry.params).toMatchObject(params);
  }
  const more = expected.length - 1;
  const suffix = more === 0 ? '' : ` (and ${more} more validation error${more === 1 ? '' : 's'})`;
  expect(answer.body.error.detail).toBe(`${fields[0]?.message}${suffix}`);
}
