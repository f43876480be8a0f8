import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { createAsset } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const path = '/api/v1/reports/asset-locations';

const world = await sharedWorld();

describe('the report', () => {
  it('rejects an id together with a key, and reports both parameters', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization, { external_key: 'A' });
    const exclusive = (one: string, other: string) =>
      [one, other].map((field) => ({
        field,
        code: 'ambiguous_fields',
        message: `${one} and ${other} are mutually exclusive; supply exactly one`,
      }));
    const assets = exclusive('asset_id', 'asset_external_key');
    const locations = exclusive('location_id', 'location_external_key');
    expect(await organization.get(`${path}?asset_external_key=A&asset_id=${id}`)).toBeInvalid(...assets);
    expect(await organization.get(`${path}?location_id=1&location_external_key=K&location_id=2`)).toBeInvalid(
      ...locations,
    );
    expect(
      await organization.get(`${path}?location_external_key=K&asset_external_key=A&location_id=1&asset_id=1`),
    ).toBeInvalid(...assets, ...locations);
  });

  it('rejects unknown and invalid parameters', async () => {
    const organization = await world.organization();
    const integer = (field: string) => ({ field, code: 'invalid_value', message: `${field} must be an integer` });
    for (const field of ['asset_id', 'location_id']) {
      for (const value of ['', 'x', '1.0', '%2B1', '1e3']) {
        expect(await organization.get(`${path}?${field}=${value}`), value).toBeInvalid(integer(field));
        expect(await organization.get(`${path}?${field}=1&${field}=${value}`)).toBeInvalid(integer(field));
      }
      expect(await organization.get(`${path}?${field}=0`)).toBeInvalid({
        field,
        code: 'too_small',
        params: { min: 1 },
      });
      expect(await organization.get(`${path}?${field}=-1`)).toBeInvalid({
        field,
        code: 'too_small',
        params: { min: 1 },
      });
      expect(await organization.get(`${path}?${field}=2147483648`)).toBeInvalid({
        field,
        code: 'too_large',
        params: { max: 2147483647 },
      });
    }
    for (const field of ['asset_external_key', 'location_external_key']) {
      for (const value of ['', 'a.b', '%C3%A9', 'x'.repeat(256)]) {
        expect(await organization.get(`${path}?${field}=K&${field}=${value}`)).toBeInvalid({
          field,
          code: 'invalid_value',
        });
      }
    }
    const unknown = (field: string) => ({ field, code: 'unknown_field', message: `unknown parameter: ${field}` });
    for (const [query, expected] of [
      ['external_key=K', unknown('external_key')],
      ['is_active=true', unknown('is_active')],
      ['q=a', unknown('q')],
      ['sort=location_id', { field: 'sort', code: 'invalid_value', message: 'unknown sort field: location_id' }],
      ['sort=asset_last_seen,-asset_last_seen', { field: 'sort', code: 'invalid_value' }],
      ['limit=0', { field: 'limit', code: 'too_small', params: { min: 1 } }],
      ['limit=201', { field: 'limit', code: 'too_large', params: { max: 200 } }],
      ['include_deleted=1', { field: 'include_deleted', code: 'invalid_value' }],
    ] as const) {
      expect(await organization.get(`${path}?${query}`)).toBeInvalid(expected);
    }
  });
});
