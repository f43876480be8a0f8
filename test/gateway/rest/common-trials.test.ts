import { describe, expect, it } from 'vitest';
import { createAsset, createLocation } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { type OperationUnderTrial, tryOperation } from '../../support/trials.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

const asset = async (client: RestClient) => ({ asset_id: (await createAsset(client)).id });
const location = async (client: RestClient) => ({ location_id: (await createLocation(client)).id });
const tag = { tag_type: 'rfid', value: 'E280' };

async function taggedAsset(client: RestClient) {
  const { id, tags } = await createAsset(client, { tags: [tag] });
  return { asset_id: id, tag_id: tags[0]?.id ?? 0 };
}

async function taggedLocation(client: RestClient) {
  const { id, tags } = await createLocation(client, { tags: [tag] });
  return { location_id: id, tag_id: tags[0]?.id ?? 0 };
}

const collection = { allow: 'GET, HEAD, POST' };
const detail = { allow: 'GET, HEAD, PATCH, DELETE' };
const reading = { method: 'GET', allow: 'GET, HEAD', success: 200 } as const;
const ofAsset = { rows: asset, missing: 'Asset not found' };
const ofLocation = { rows: location, missing: 'Location not found' };
const assets = '/api/v1/assets';
const locations = '/api/v1/locations';

const operations: OperationUnderTrial[] = [
  { operationId: 'listAssets', method: 'GET', path: assets, ...collection, scope: 'assets:read', success: 200 },
  {
    operationId: 'createAsset',
    method: 'POST',
    path: assets,
    ...collection,
    scope: 'assets:write',
    success: 201,
    body: { name: 'n' },
  },
  {
    operationId: 'getAsset',
    method: 'GET',
    path: `${assets}/{asset_id}`,
    ...detail,
    scope: 'assets:read',
    success: 200,
    ...ofAsset,
  },
  {
    operationId: 'updateAsset',
    method: 'PATCH',
    path: `${assets}/{asset_id}`,
    ...detail,
    scope: 'assets:write',
    success: 200,
    body: {},
    ...ofAsset,
  },
  {
    operationId: 'deleteAsset',
    method: 'DELETE',
    path: `${assets}/{asset_id}`,
    ...detail,
    scope: 'assets:write',
    success: 204,
    ...ofAsset,
  },
  {
    operationId: 'renameAsset',
    method: 'POST',
    path: `${assets}/{asset_id}/rename`,
    allow: 'POST',
    scope: 'assets:write',
    success: 200,
    body: { external_key: 'new' },
    ...ofAsset,
  },
  {
    operationId: 'addAssetTag',
    method: 'POST',
    path: `${assets}/{asset_id}/tags`,
    allow: 'POST',
    scope: 'assets:write',
    success: 201,
    body: tag,
    ...ofAsset,
  },
  {
    operationId: 'removeAssetTag',
    method: 'DELETE',
    path: `${assets}/{asset_id}/tags/{tag_id}`,
    allow: 'DELETE',
    scope: 'assets:write',
    success: 204,
    ...ofAsset,
    rows: taggedAsset,
  },
  {
    operationId: 'listAssetHistory',
    ...reading,
    path: `${assets}/{asset_id}/history`,
    scope: 'tracking:read',
    ...ofAsset,
  },
  {
    operationId: 'listLocations',
    method: 'GET',
    path: locations,
    ...collection,
    scope: 'locations:read',
    success: 200,
  },
  {
    operationId: 'createLocation',
    method: 'POST',
    path: locations,
    ...collection,
    scope: 'locations:write',
    success: 201,
    body: { name: 'n' },
  },
  {
    operationId: 'getLocation',
    method: 'GET',
    path: `${locations}/{location_id}`,
    ...detail,
    scope: 'locations:read',
    success: 200,
    ...ofLocation,
  },
  {
    operationId: 'updateLocation',
    method: 'PATCH',
    path: `${locations}/{location_id}`,
    ...detail,
    scope: 'locations:write',
    success: 200,
    body: {},
    ...ofLocation,
  },
  {
    operationId: 'deleteLocation',
    method: 'DELETE',
    path: `${locations}/{location_id}`,
    ...detail,
    scope: 'locations:write',
    success: 204,
    ...ofLocation,
  },
  {
    operationId: 'renameLocation',
    method: 'POST',
    path: `${locations}/{location_id}/rename`,
    allow: 'POST',
    scope: 'locations:write',
    success: 200,
    body: { external_key: 'new' },
    ...ofLocation,
  },
  {
    operationId: 'addLocationTag',
    method: 'POST',
    path: `${locations}/{location_id}/tags`,
    allow: 'POST',
    scope: 'locations:write',
    success: 201,
    body: tag,
    ...ofLocation,
  },
  {
    operationId: 'removeLocationTag',
    method: 'DELETE',
    path: `${locations}/{location_id}/tags/{tag_id}`,
    allow: 'DELETE',
    scope: 'locations:write',
    success: 204,
    ...ofLocation,
    rows: taggedLocation,
  },
  {
    operationId: 'listLocationAncestors',
    ...reading,
    path: `${locations}/{location_id}/ancestors`,
    scope: 'locations:read',
    ...ofLocation,
  },
  {
    operationId: 'listLocationChildren',
    ...reading,
    path: `${locations}/{location_id}/children`,
    scope: 'locations:read',
    ...ofLocation,
  },
  {
    operationId: 'listLocationDescendants',
    ...reading,
    path: `${locations}/{location_id}/descendants`,
    scope: 'locations:read',
    ...ofLocation,
  },
  { operationId: 'listAssetLocations', ...reading, path: '/api/v1/reports/asset-locations', scope: 'tracking:read' },
  { operationId: 'getCurrentOrg', ...reading, path: '/api/v1/orgs/me' },
];

for (const operation of operations) tryOperation(() => world, operation);

describe('the trials', () => {
  it('are held on every operation that the description names', async () => {
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
