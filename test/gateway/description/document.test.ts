import { expect, test } from 'vitest';
import { buildDocument } from '../../../gateway/description/document.js';
import type { OperationObject, Parameter, Schema } from '../../../gateway/description/openapi.js';
import { readOperations } from '../../../gateway/rest/operations.js';
import { errorTable } from '../../../server/kernel/errors.js';
import { fieldErrorCodes } from '../../../server/kernel/field-reasons.js';
import { appRouter } from '../../../server/router.js';
import { tagTypes } from '../../../server/things/tags/schemas.js';
import { documentWithDeprecation } from './deprecated.js';

const router = appRouter;
const document = buildDocument({ router, operations: readOperations(router), baseUrl: 'https://things.example.org' });
const { schemas, headers } = document.components;

/** Operation id, method, path, scope, success and the statuses that not every operation has, from the documents. */
const rows = [
  ['getCurrentOrg', 'get', '/api/v1/orgs/me', null, 200, [422]],
  ['listAssets', 'get', '/api/v1/assets', 'assets:read', 200, []],
  ['createAsset', 'post', '/api/v1/assets', 'assets:write', 201, [409, 413, 415]],
  ['getAsset', 'get', '/api/v1/assets/{asset_id}', 'assets:read', 200, []],
  ['updateAsset', 'patch', '/api/v1/assets/{asset_id}', 'assets:write', 200, [413, 415]],
  ['deleteAsset', 'delete', '/api/v1/assets/{asset_id}', 'assets:write', 204, []],
  ['renameAsset', 'post', '/api/v1/assets/{asset_id}/rename', 'assets:write', 200, [409, 413, 415]],
  ['addAssetTag', 'post', '/api/v1/assets/{asset_id}/tags', 'assets:write', 201, [409, 413, 415]],
  ['removeAssetTag', 'delete', '/api/v1/assets/{asset_id}/tags/{tag_id}', 'assets:write', 204, []],
  ['listAssetHistory', 'get', '/api/v1/assets/{asset_id}/history', 'tracking:read', 200, []],
  ['listLocations', 'get', '/api/v1/locations', 'locations:read', 200, []],
  ['createLocation', 'post', '/api/v1/locations', 'locations:write', 201, [409, 413, 415]],
  ['getLocation', 'get', '/api/v1/locations/{location_id}', 'locations:read', 200, []],
  ['updateLocation', 'patch', '/api/v1/locations/{location_id}', 'locations:write', 200, [409, 413, 415]],
  ['deleteLocation', 'delete', '/api/v1/locations/{location_id}', 'locations:write', 204, [409]],
  ['renameLocation', 'post', '/api/v1/locations/{location_id}/rename', 'locations:write', 200, [409, 413, 415]],
  ['addLocationTag', 'post', '/api/v1/locations/{location_id}/tags', 'locations:write', 201, [409, 413, 415]],
  ['removeLocationTag', 'delete', '/api/v1/locations/{location_id}/tags/{tag_id}', 'locations:write', 204, []],
  ['listLocationAncestors', 'get', '/api/v1/locations/{location_id}/ancestors', 'locations:read', 200, []],
  ['listLocationChildren', 'get', '/api/v1/locations/{location_id}/children', 'locations:read', 200, []],
  ['listLocationDescendants', 'get', '/api/v1/locations/{location_id}/descendants', 'locations:read', 200, []],
  ['listAssetLocations', 'get', '/api/v1/reports/asset-locations', 'tracking:read', 200, []],
] as const;

const expected = rows.map(([id, method, path, scope, success, more]) => ({ id, method, path, scope, success, more }));

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

function operationOf(id: string): OperationObject {
  return operations.find(({ operationId }) => operationId === id) as OperationObject;
}

function schemaOf(name: string): Schema & { properties: Record<string, Schema> } {
  return schemas[name] as Schema & { properties: Record<string, Schema> };
}

test('there are the operations of the contract and no others, none of them HEAD or OPTIONS', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(expected.map(({ id }) => id).sort());
  for (const { id, method, path } of expected) expect(document.paths[path]?.[method]?.operationId, id).toBe(id);
});

test.each(expected)('$id declares exactly the statuses it can answer with', ({ id, scope, success, more }) => {
  const always = [400, 401, ...(scope === null ? [] : [403]), 404, 405, 429, 500, 503];
  const statuses = [success, ...always, ...more].sort((one, other) => one - other);
  expect(Object.keys(operationOf(id).responses).map(Number)).toEqual(statuses);
});

test.each(expected)('$id has its scopes, its credential, a summary, a description and a tag', ({ id, scope }) => {
  const operation = operationOf(id);
  expect(operation['x-required-scopes']).toEqual(scope === null ? [] : [scope]);
  expect(operation.security).toEqual([{ BearerAuth: [] }]);
  expect([operation.summary, operation.description]).toEqual([
    expect.stringMatching(/./),
    expect.stringMatching(/\.$/),
  ]);
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
});

test('the only credential is a bearer token', () => {
  expect(document.components.securitySchemes).toEqual({
    BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: expect.any(String) },
  });
});

test('the schemas have the names of the contract', () => {
  const views = ['AssetView', 'LocationView', 'Tag', 'AssetLocationItem', 'AssetHistoryItem', 'OrgView'];
  const errors = ['ErrorEnvelope', 'ErrorResponse', 'ErrorType', 'FieldError', 'FieldErrorCode'];
  const bodies = ['CreateAssetRequest', 'UpdateAssetRequest', 'RenameAssetRequest', 'TagRequest'];
  const others = ['CreateLocationRequest', 'UpdateLocationRequest', 'RenameLocationRequest'];
  const names = Object.keys(schemas);
  const answers = names.filter((name) => name.endsWith('Response') && name !== 'ErrorResponse');
  expect(names.sort()).toEqual([...views, ...errors, ...bodies, ...others, ...answers].sort());
  expect(answers.length).toBeGreaterThan(0);
});

test('every body and answer is a schema with a name; patches alone are merge patches', () => {
  for (const { operationId, requestBody, responses } of operations) {
    const method = expected.find(({ id }) => id === operationId)?.method;
    const body = Object.entries(requestBody?.content ?? {});
    expect(body.map(([type]) => type)).toEqual(
      { patch: ['application/merge-patch+json'], post: ['application/json'] }[method as string] ?? [],
    );
    for (const [, { schema }] of body) expect(schema.$ref).toMatch(/^#\/components\/schemas\/\w+Request$/);
    for (const [status, { content }] of Object.entries(responses)) {
      const name = Number(status) >= 400 ? 'ErrorResponse' : '\\w+Response';
      if (status === '204') expect(content).toBeUndefined();
      else expect(content?.['application/json']?.schema.$ref).toMatch(new RegExp(`^#/components/schemas/${name}$`));
    }
  }
});

test('the enums of errors are what the server can send', () => {
  // No operation is deprecated, so none can be gone.
  expect(schemas['ErrorType']?.enum).toEqual(Object.keys(errorTable).filter((type) => type !== 'gone'));
  expect(schemas['FieldErrorCode']?.enum).toEqual([...fieldErrorCodes]);
});

test('every answer has its request id and its budget, and its status the header that goes with it', () => {
  const common = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-ID'];
  const special: Record<string, string> = {
    201: 'Location',
    401: 'WWW-Authenticate',
    405: 'Allow',
    409: 'Link',
    429: 'Retry-After',
    503: 'Retry-After',
  };
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const names = [...common, ...(special[status] ? [special[status]] : [])].sort();
      expect(Object.keys(response.headers).sort(), `${operationId} ${status}`).toEqual(names);
      for (const [name, { $ref }] of Object.entries(response.headers))
        expect($ref).toBe(`#/components/headers/${name}`);
    }
  }
  expect(Object.keys(headers).sort()).toEqual([...new Set([...common, ...Object.values(special)])].sort());
});

test('every property of what is read is required, and the server manages some', () => {
  for (const name of Object.keys(schemas).filter((name) => !name.endsWith('Request') && schemas[name]?.properties)) {
    const { required, properties } = schemaOf(name);
    const optional = { ErrorEnvelope: ['fields'], FieldError: ['params'] }[name] ?? [];
    expect([...(required ?? []), ...optional].sort(), name).toEqual(Object.keys(properties).sort());
  }
  const readOnly = (name: string) =>
    Object.entries(schemaOf(name).properties).flatMap(([key, property]) => (property.readOnly ? [key] : []));
  expect(readOnly('AssetView')).toEqual(['id', 'created_at', 'updated_at', 'deleted_at', 'tags']);
  expect(readOnly('LocationView')).toEqual(['id', 'created_at', 'updated_at', 'deleted_at', 'tags']);
  expect(readOnly('Tag')).toEqual(['id']);
  for (const name of ['AssetLocationItem', 'AssetHistoryItem', 'OrgView']) {
    expect(readOnly(name)).toEqual(Object.keys(schemaOf(name).properties));
  }
});

test('ids are int64 from 1 to 2147483647, and no integer has bounds that mean nothing', () => {
  const integers: [string, Schema][] = [];
  const visit = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ((value as Schema).type === 'integer') integers.push([path, value as Schema]);
    for (const [key, item] of Object.entries(value)) visit(`${path}/${key}`, item);
  };
  visit('', { schemas, paths: document.paths });
  for (const [path, { format, minimum, maximum }] of integers) {
    if (/\/(?:\w+_)?id(?:\/|$)/.test(path)) expect([format, minimum, maximum], path).toEqual(['int64', 1, 2147483647]);
    expect([minimum, maximum], path).not.toContain(Number.MIN_SAFE_INTEGER);
    expect([minimum, maximum], path).not.toContain(Number.MAX_SAFE_INTEGER);
  }
  const parameters = operations.flatMap((operation) => operation.parameters.map((parameter) => parameter));
  const ids = parameters.filter(({ name }) => name.endsWith('_id')).map(({ schema }) => schema.items ?? schema);
  expect(ids.length).toBeGreaterThan(20);
  for (const id of ids) expect(id).toEqual({ type: 'integer', format: 'int64', minimum: 1, maximum: 2147483647 });
});

test('null is allowed where a field can be null', () => {
  const nullable = (name: string) =>
    Object.entries(schemaOf(name).properties).flatMap(([key, property]) => (property.nullable ? [key] : []));
  expect(nullable('AssetView')).toEqual(['description', 'valid_to', 'deleted_at']);
  expect(nullable('LocationView')).toEqual([
    'description',
    'parent_id',
    'parent_external_key',
    'valid_to',
    'deleted_at',
  ]);
  expect(nullable('AssetLocationItem')).toEqual(['location_id', 'location_external_key', 'asset_deleted_at']);
  expect(nullable('AssetHistoryItem')).toEqual(['location_id', 'location_external_key', 'duration_seconds']);
  expect(nullable('UpdateAssetRequest')).toEqual(['description', 'valid_to', 'deleted_at']);
  expect(nullable('CreateAssetRequest')).toEqual(['description', 'valid_to', 'tags']);
});

test('bodies are closed and hold what can be sent, answers stay open', () => {
  const shared = ['name', 'description', 'is_active', 'valid_from', 'valid_to'];
  const readOnly = ['id', 'external_key', 'created_at', 'updated_at', 'deleted_at', 'tags'];
  const parents = ['parent_id', 'parent_external_key'];
  const bodies: Record<string, string[]> = {
    CreateAssetRequest: [...shared, 'external_key', 'metadata', 'tags'],
    UpdateAssetRequest: [...shared, ...readOnly, 'metadata'],
    RenameAssetRequest: ['external_key'],
    CreateLocationRequest: [...shared, ...parents, 'external_key', 'tags'],
    UpdateLocationRequest: [...shared, ...parents, ...readOnly],
    RenameLocationRequest: ['external_key'],
    TagRequest: ['tag_type', 'value'],
  };
  for (const [name, keys] of Object.entries(bodies)) {
    expect(Object.keys(schemaOf(name).properties).sort(), name).toEqual(keys.sort());
    expect(schemaOf(name).additionalProperties, name).toBe(false);
  }
  for (const name of Object.keys(schemas).filter((name) => !(name in bodies))) {
    expect(schemas[name]?.additionalProperties, name).toBeUndefined();
  }
  for (const name of ['AssetView', 'CreateAssetRequest', 'UpdateAssetRequest']) {
    expect(schemaOf(name).properties['metadata'], name).toMatchObject({ type: 'object', additionalProperties: true });
  }
  expect(schemaOf('CreateAssetRequest').required).toEqual(['name']);
  expect(schemaOf('UpdateAssetRequest').required).toBeUndefined();
  expect(schemaOf('TagRequest').required).toEqual(['tag_type', 'value']);
});

test('bodies carry the patterns and lengths; a tag is of an open type when read and of a closed one when written', () => {
  const name = { minLength: 1, maxLength: 255, pattern: '^\\S(?:[^\\x00-\\x1F\\x7F]*\\S)?$' };
  const text = '^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F]*$';
  expect(schemaOf('CreateAssetRequest').properties).toMatchObject({
    name,
    external_key: { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9-]+$' },
    description: { minLength: 1, maxLength: 1024, pattern: text },
    tags: { maxItems: 100, items: { $ref: '#/components/schemas/TagRequest' } },
  });
  expect(schemaOf('TagRequest').properties).toMatchObject({
    tag_type: { type: 'string', enum: [...tagTypes] },
    value: { minLength: 1, maxLength: 255, pattern: text },
  });
  expect(schemaOf('Tag').properties['tag_type']).not.toHaveProperty('enum');
});

test('what can be asked for is declared, with its default, and repeated where it can be', () => {
  const queryOf = (id: string) => operationOf(id).parameters.filter(({ in: parameterIn }) => parameterIn === 'query');
  const names = (id: string) => queryOf(id).map(({ name }) => name);
  const page = ['limit', 'offset'];
  const filters = ['external_key', 'is_active', 'q', 'include_deleted'];
  const report = ['asset_id', 'asset_external_key', 'location_id', 'location_external_key'];
  expect(names('listAssets').sort()).toEqual([...filters, ...page, 'sort'].sort());
  expect(names('listLocations').sort()).toEqual(
    [...filters, 'parent_id', 'parent_external_key', ...page, 'sort'].sort(),
  );
  expect(names('listAssetHistory').sort()).toEqual(['from', 'to', ...page, 'sort'].sort());
  expect(names('listAssetLocations').sort()).toEqual([...report, 'include_deleted', ...page, 'sort'].sort());
  for (const walk of ['Ancestors', 'Children', 'Descendants']) expect(names(`listLocation${walk}`)).toEqual(page);
  const others = operations.filter(({ operationId }) => !operationId.startsWith('list'));
  for (const { operationId } of others) expect(names(operationId), operationId).toEqual([]);

  const repeated = (id: string) => queryOf(id).flatMap((one) => (one.schema.type === 'array' ? [one] : []));
  expect(repeated('listAssets').map(({ name }) => name)).toEqual(['external_key']);
  expect(repeated('listLocations').map(({ name }) => name)).toEqual(['external_key']);
  expect(repeated('listAssetLocations').map(({ name }) => name)).toEqual(report);
  const all: Parameter[] = operations.flatMap(({ parameters }) => parameters);
  for (const { style, explode, schema } of all.filter(({ schema }) => schema.type === 'array')) {
    expect({ style, explode, type: schema.type }).toEqual({ style: 'form', explode: true, type: 'array' });
  }
  for (const one of all) {
    expect(one.required, one.name).toBe(one.in === 'path');
    expect(one.description).toMatch(/\.$/);
  }
  const defaults = Object.fromEntries(queryOf('listAssets').map(({ name, schema }) => [name, schema['default']]));
  expect(defaults).toMatchObject({ limit: 50, offset: 0, include_deleted: false, sort: 'external_key' });
  expect(queryOf('listAssetHistory').find(({ name }) => name === 'sort')?.schema['default']).toBe('-event_observed_at');
});

test('a deprecated operation declares the headers of its deprecation, and 410', () => {
  const { paths, components } = documentWithDeprecation();
  const retiring = paths['/api/v1/assets']?.['get'] as OperationObject;
  expect(retiring.deprecated).toBe(true);
  const silent = Object.entries(retiring.responses).filter(
    ([, { headers }]) => !headers['Deprecation'] || !headers['Sunset'],
  );
  // A request with another method is not one of the operation.
  expect(silent.map(([status]) => status)).toEqual(['405']);
  expect(Object.keys(retiring.responses)).toContain('410');
  expect(components.schemas['ErrorType']?.enum).toEqual(Object.keys(errorTable));
  const { post } = paths['/api/v1/assets'] ?? {};
  expect(post).not.toHaveProperty('deprecated');
  expect(Object.keys(post?.responses ?? {})).not.toContain('410');
});

test('the head names version, license and contact; the server is where it was set, or else where the document is', () => {
  expect(document.openapi).toBe('3.0.3');
  expect(document.info).toMatchObject({
    version: '1.0.0',
    license: { name: 'Apache-2.0' },
    contact: { url: 'https://things.example.org' },
  });
  const serversOf = (baseUrl: string) =>
    buildDocument({ router, operations: readOperations(router), baseUrl }).servers.map(({ url }) => url);
  expect(serversOf('https://things.example.org/whereabouts')).toEqual(['https://things.example.org/whereabouts']);
  expect(serversOf('http://localhost:3000')).toEqual(['/']);
});
