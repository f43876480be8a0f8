import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Scope, selectableScopes } from '../../server/people/auth/scopes.js';
import './expect-error.js';
import { type CallOptions, createClient, type RestClient } from './rest-client.js';
import type { TestOrganization, World } from './world.js';

/** The facts that the common trials need of an operation; they are from the documents, not from the service. */
export type OperationUnderTrial = {
  operationId: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  path: string;
  /** Every method the path takes, as in the `Allow` header. */
  allow: string;
  /** The one scope it needs; absent where it needs none. */
  scope?: Scope;
  /** The status of an accepted request. */
  success: 200 | 201 | 204;
  body?: Record<string, unknown>;
  /** Creates the rows of the path, and returns their ids. */
  rows?: (client: RestClient) => Promise<Record<string, number>>;
  /** The detail of a 404 where the row that the path begins with is not there. */
  missing?: string;
};

/** A valid request; each trial changes one thing of it. */
type Trial = {
  operation: OperationUnderTrial;
  scopes: Scope[];
  sent: CallOptions;
  worldOf: () => World;
  /** A new organization with the rows that the path names. */
  begin(): Promise<{ organization: TestOrganization; path: string }>;
};

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Checks what every operation has in common: each error of contract 6.4, its scope, the isolation of tenants, its path,
 * its parameters, its methods and its media type. Every rejected request is valid except for the one thing tried, and
 * the last trial shows that it is accepted once that is valid too.
 */
export function tryOperation(worldOf: () => World, operation: OperationUnderTrial): void {
  const { method, body, scope, rows } = operation;
  const trial: Trial = {
    operation,
    scopes: scope === undefined ? [] : [scope],
    sent: body === undefined ? {} : { body },
    worldOf,
    async begin() {
      const organization = await worldOf().organization();
      return { organization, path: fill(operation.path, (await rows?.(organization)) ?? {}) };
    },
  };
  describe.each([operation])('$operationId', () => {
    tryCredentials(trial);
    if (scope !== undefined) tryScope(trial, scope);
    if (rows) tryRows(trial);
    tryParameters(trial);
    tryMethods(trial);
    if (method === 'POST' || method === 'PATCH') tryMediaTypes(trial);
    else tryUnexpectedBody(trial);
    if (method === 'GET') tryHead(trial);
    tryAsItIs(trial);
  });
}

function tryCredentials({ operation: { method }, scopes, sent, worldOf, begin }: Trial): void {
  it('is rejected without a key or with one that does not count', async () => {
    const { organization, path } = await begin();
    const { url, anonymous, identity } = worldOf();
    const unknownKey = await identity.signApiKey({ id: randomUUID(), expiresAtMs: null });
    const credentials: [client: RestClient, headers: Record<string, string>, detail: string][] = [
      [anonymous, {}, 'Missing authorization header'],
      [anonymous, { 'X-API-Key': organization.token }, 'Use Authorization: Bearer <token>'],
      [anonymous, { Authorization: 'Basic YTpi' }, 'Invalid authorization header format'],
      [createClient(url, 'not-a-token'), {}, 'Invalid or expired token'],
      [createClient(url, unknownKey), {}, 'Invalid or expired token'],
      [await organization.withScopes(scopes, { expiresAtMs: Date.now() - 1 }), {}, 'API key has expired'],
      [await organization.withScopes(scopes, { revoked: true }), {}, 'API key has been revoked'],
    ];
    for (const [client, headers, detail] of credentials) {
      const answer = await client.call(method, path, { ...sent, headers });
      expect(answer).toBeError({ type: 'unauthorized', detail, instance: path });
    }
  });
}

function tryScope({ operation: { method }, sent, begin }: Trial, scope: Scope): void {
  it('needs its scope, and no other will do', async () => {
    const { organization, path } = await begin();
    const others = await organization.withScopes(selectableScopes.filter((other) => other !== scope));
    const answer = await others.call(method, path, sent);
    expect(answer).toBeError({ type: 'forbidden', detail: `Missing required scope: ${scope}`, instance: path });
  });
}

function tryRows({ operation, sent, worldOf, begin }: Trial): void {
  const { method, path: template, missing: detail = '' } = operation;

  it("does not distinguish another tenant's row from a missing one", async () => {
    const { path } = await begin();
    const outsider = await worldOf().organization('Outsiders');
    expect(await outsider.call(method, path, sent)).toBeError({ type: 'not_found', detail });
    const nowhere = template.replaceAll(/\{\w+\}/g, '2147483647');
    expect(await outsider.call(method, nowhere, sent)).toBeError({ type: 'not_found', detail, instance: nowhere });
  });

  it('judges each id of its path before it looks for it', async () => {
    const { organization } = await begin();
    for (const [, key = ''] of template.matchAll(/\{(\w+)\}/g)) {
      const expectations = [
        {
          ids: [
            'abc',
            '1.0',
            '1e3',
            '+1',
            '01',
            '-01',
            '%201',
            '1%20',
            '1x',
            '0x1',
            '%D9%A1',
            '-',
            'null',
            '%00',
            '%ff',
            '%zz',
            '1%2F',
            '%EF%BC%91',
            '-0',
            'NaN',
          ],
          expected: { code: 'invalid_value', message: `${key} must be an integer` },
        },
        {
          ids: ['0', '-1', '-2147483649', '-9223372036854775809'],
          expected: { code: 'too_small', message: `${key} must be >= 1`, params: { min: 1 } },
        },
        {
          ids: ['2147483648', '9223372036854775807', '9223372036854775808', '1'.repeat(400)],
          expected: { code: 'too_large', message: `${key} must be <= 2147483647`, params: { max: 2147483647 } },
        },
      ];
      for (const { ids, expected } of expectations) {
        for (const id of ids) {
          const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === key ? id : '1'));
          expect(await organization.call(method, path, sent)).toBeInvalid({ field: key, ...expected });
        }
      }
    }
  });
}

function tryParameters({ operation: { method }, sent, begin }: Trial): void {
  it('rejects parameters it does not know, each by name', async () => {
    const { organization, path } = await begin();
    const answer = await organization.call(method, `${path}?color=red&_method=DELETE`, sent);
    expect(answer).toBeInvalid(
      { field: 'color', code: 'unknown_field', message: 'unknown parameter: color' },
      { field: '_method', code: 'unknown_field', message: 'unknown parameter: _method' },
    );
  });
}

function tryMethods({ operation: { allow }, worldOf, begin }: Trial): void {
  it('answers methods that its path does not take before anything else', async () => {
    const { path } = await begin();
    const headers = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' };
    for (const other of everyMethod.filter((candidate) => !allow.split(', ').includes(candidate))) {
      const answer = await worldOf().anonymous.call(other, `${path}?color=red`, { headers });
      expect(answer).toBeError({ type: 'method_not_allowed', detail: `Allowed methods: ${allow}`, instance: path });
      expect(answer.headers['allow']).toBe(allow);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
}

function tryMediaTypes({ operation: { method, success }, sent, begin }: Trial): void {
  const types = ['application/json', 'application/merge-patch+json'];
  const [own = '', other = ''] = method === 'POST' ? types : types.toReversed();

  it('takes one media type and no other', async () => {
    const { organization, path } = await begin();
    const detail = `Content-Type must be ${own}${method === 'PATCH' ? ' on PATCH operations' : ''}`;
    const wrong = [
      '',
      other,
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/problem+json',
      `${own}x`,
      'application/*',
      '*/*',
      own.replace('application/', ''),
      `text/plain, ${own}`,
    ];
    for (const type of wrong) {
      const answer = await organization.call(method, path, { ...sent, headers: { 'Content-Type': type } });
      expect(answer).toBeError({ type: 'unsupported_media_type', detail, instance: path });
    }
    expect(await organization.call(method, path)).toBeError({ type: 'unsupported_media_type', detail });
  });

  it('reads its media type without regard to case and parameters', async () => {
    for (const type of [own.toUpperCase(), `${own}; charset=utf-8`, `${own};charset=UTF-8`]) {
      const { organization, path } = await begin();
      const answer = await organization.call(method, path, { ...sent, headers: { 'Content-Type': type } });
      expect(answer.status, answer.text).toBe(success);
    }
  });
}

function tryUnexpectedBody({ operation: { method, success }, begin }: Trial): void {
  it('ignores a body and its media type', async () => {
    const { organization, path } = await begin();
    const unexpected = { raw: '{"a":', headers: { 'Content-Type': 'text/plain' } };
    const answer = await organization.call(method, path, unexpected);
    expect(answer.status, answer.text).toBe(success);
  });
}

function tryHead({ worldOf, begin }: Trial): void {
  it('answers HEAD with the same headers and no body', async () => {
    const { organization, path } = await begin();
    for (const target of [path, `${path}?color=red`]) {
      const get = await organization.get(target);
      const head = await organization.call('HEAD', target);
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(lasting(head.headers)).toEqual(lasting(get.headers));
    }
    const refused = await worldOf().anonymous.call('HEAD', path);
    expect([refused.status, refused.text]).toEqual([401, '']);
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="service-api"');
  });
}

function tryAsItIs({ operation: { method, success }, scopes, sent, begin }: Trial): void {
  it('accepts the same request from a key with its scope alone', async () => {
    const { organization, path } = await begin();
    const just = await organization.withScopes(scopes);
    const answer = await just.call(method, path, sent);
    expect(answer.status, answer.text).toBe(success);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
    expect(answer.headers['content-type']).toBe(success === 204 ? undefined : 'application/json');
    expect(answer.text === '').toBe(success === 204);
  });
}

/** The headers that do not differ from one request to the next; the rest must at least be there. */
function lasting(headers: Record<string, string>): Record<string, string> {
  const rest = { ...headers };
  for (const name of ['x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'date']) {
    expect(rest[name], name).toBeTruthy();
    delete rest[name];
  }
  expect(rest['content-length']).toMatch(/^\d+$/);
  return rest;
}

function fill(path: string, ids: Record<string, number>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, key: string) => String(ids[key]));
}
