import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../server/people/auth/scopes.js';
import { bothNouns, create, type Noun, nouns } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { type OperationUnderTrial, tryOperation } from '../../support/trials.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

const tag = { tag_type: 'rfid', value: 'E280' };

const reading = { method: 'GET', allow: 'GET, HEAD', success: 200 } as const;

/** The operations that assets and locations have in common. */
function operationsOf(noun: Noun): OperationUnderTrial[] {
  const { path, idKey, notFound: missing, readScope, writeScope } = noun;
  const name = noun === nouns.assets ? 'Asset' : 'Location';
  const rowPath = `${path}/{${idKey}}`;
  const rows = async (client: RestClient) => ({ [idKey]: (await create(client, noun)).id });
  const tagged = async (client: RestClient) => {
    const { id, tags } = await create(client, noun, { tags: [tag] });
    return { [idKey]: id, tag_id: tags[0]?.id ?? 0 };
  };
  const collection = { path, allow: 'GET, HEAD, POST' };
  const row = { path: rowPath, allow: 'GET, HEAD, PATCH, DELETE', rows, missing };
  const write = { scope: writeScope, allow: 'POST', rows, missing };
  const detach = { ...write, allow: 'DELETE', rows: tagged };
  const [named, renamed] = [{ name: 'n' }, { external_key: 'new' }];
  return [
    { operationId: `list${name}s`, method: 'GET', ...collection, scope: readScope, success: 200 },
    { operationId: `create${name}`, method: 'POST', ...collection, scope: writeScope, success: 201, body: named },
    { operationId: `get${name}`, method: 'GET', ...row, scope: readScope, success: 200 },
    { operationId: `update${name}`, method: 'PATCH', ...row, scope: writeScope, success: 200, body: {} },
    { operationId: `delete${name}`, method: 'DELETE', ...row, scope: writeScope, success: 204 },
    { operationId: `rename${name}`, method: 'POST', path: `${rowPath}/rename`, ...write, success: 200, body: renamed },
    { operationId: `add${name}Tag`, method: 'POST', path: `${rowPath}/tags`, ...write, success: 201, body: tag },
    { operationId: `remove${name}Tag`, method: 'DELETE', path: `${rowPath}/tags/{tag_id}`, ...detach, success: 204 },
  ];
}

/** A list below a row. */
function listBelow(noun: Noun, list: string, scope: Scope): OperationUnderTrial {
  const { path, idKey, notFound: missing } = noun;
  return {
    operationId: `list${noun === nouns.assets ? 'Asset' : 'Location'}${list}`,
    ...reading,
    path: `${path}/{${idKey}}/${list.toLowerCase()}`,
    scope,
    rows: async (client) => ({ [idKey]: (await create(client, noun)).id }),
    missing,
  };
}

const operations: OperationUnderTrial[] = [
  ...bothNouns.flatMap(operationsOf),
  listBelow(nouns.assets, 'History', 'tracking:read'),
  ...['Ancestors', 'Children', 'Descendants'].map((list) => listBelow(nouns.locations, list, 'locations:read')),
  { operationId: 'listAssetLocations', ...reading, path: '/api/v1/reports/asset-locations', scope: 'tracking:read' },
  { operationId: 'getCurrentOrg', ...reading, path: '/api/v1/orgs/me' },
];

for (const operation of operations) tryOperation(() => world, operation);

describe('the trials', () => {
  it('are run on every operation that the OpenAPI description names', async () => {
    const description = await world.anonymous.get('/api/openapi.json');
    const described = Object.entries(
      description.body.paths as Record<string, Record<string, { operationId: string; 'x-required-scopes': string[] }>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId, 'x-required-scopes': scopes }]) => `${operationId} ${method} ${path} ${scopes.join()}`,
      ),
    );
    const tried = operations.map(
      ({ operationId, method, path, scope }) => `${operationId} ${method.toLowerCase()} ${path} ${scope ?? ''}`,
    );
    expect(tried.sort()).toEqual(described.sort());
    expect(tried).toHaveLength(22);
  });
});
