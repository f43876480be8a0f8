import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createAsset, createLocation, nouns, read } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

// Requests with two errors at neighboring stages: only the earlier stage is reported. The order of 429 between 401 and
// 403 is tested with the rate limits.

const world = await sharedWorld();

const huge = Buffer.alloc(1_048_577, 32);
const text = { 'Content-Type': 'text/plain' };
const nowhere = 2147483647;

describe('errors at neighboring stages', () => {
  it('404 and 405 of routing come before 401', async () => {
    expect(await world.anonymous.call('POST', '/api/v1/nothing', { raw: '{' })).toBeError({ type: 'not_found' });
    expect(await world.anonymous.call('PUT', '/api/v1/assets', { raw: '{' })).toBeError({ type: 'method_not_allowed' });
  });

  it('401 comes before 403 and all that follows', async () => {
    const organization = await world.organization();
    const expired = await organization.withScopes([], { expiresAtMs: 1000 });
    const answer = await expired.call('POST', '/api/v1/assets?color=red', { raw: huge, headers: text });
    expect(answer).toBeError({ type: 'unauthorized' });
  });

  it('403 comes before 415', async () => {
    const organization = await world.organization();
    const reader = await organization.withScopes(['assets:read']);
    expect(await reader.call('POST', '/api/v1/assets', { raw: '{}', headers: text })).toBeError({ type: 'forbidden' });
  });

  it('403 comes before 404 of the row', async () => {
    const organization = await world.organization();
    const reader = await organization.withScopes(['assets:read']);
    expect(await reader.delete(`/api/v1/assets/${nowhere}`)).toBeError({ type: 'forbidden' });
    expect(await reader.get(`/api/v1/locations/0`)).toBeError({ type: 'forbidden' });
  });

  it.each(bothNouns)('a $noun reports media type, size, query, path and row in this order', async (noun) => {
    const organization = await world.organization();
    const send = (path: string, raw: string | Buffer, headers = {}) =>
      organization.call('PATCH', `${noun.path}/${path}`, { raw, headers });
    expect(await send('0?color=red', huge, text)).toBeError({ type: 'unsupported_media_type' });
    expect(await send('0?color=red', huge)).toBeError({ type: 'payload_too_large' });
    expect(await send('0?color=red&limit=1', '{')).toBeInvalid(
      { field: 'color', code: 'unknown_field' },
      { field: 'limit', code: 'invalid_context' },
    );
    expect(await send('0', '{')).toBeInvalid({ field: noun.idKey, code: 'too_small' });
    for (const raw of [
      '{',
      'null',
      '[]',
      '',
      '{"location_id":1,"color":1}',
      '{"name":null}',
      '{"name":""}',
      '{"id":1}',
      '{"color":{"a":1,"a":2}}',
    ]) {
      expect(await send(String(nowhere), raw), raw).toBeError({ type: 'not_found', detail: noun.notFound });
    }
  });

  it.each(bothNouns)('rename and tags of a $noun report the row before the body', async (noun) => {
    const organization = await world.organization();
    const missing = { type: 'not_found', detail: noun.notFound };
    for (const sub of ['rename', 'tags']) {
      for (const raw of ['{', '[]', '{}', '{"color":1}']) {
        expect(await organization.call('POST', `${noun.path}/${nowhere}/${sub}`, { raw })).toBeError(missing);
        expect(await organization.call('POST', `${noun.path}/0/${sub}`, { raw })).toBeInvalid({
          field: noun.idKey,
          code: 'too_small',
        });
        expect(await organization.call('POST', `${noun.path}/0/${sub}?color=red`, { raw })).toBeInvalid({
          field: 'color',
          code: 'unknown_field',
        });
      }
    }
  });

  it('the query comes before the path in requests without a body', async () => {
    const organization = await world.organization();
    const color = { field: 'color', code: 'unknown_field' };
    for (const [method, path] of [
      ['GET', '/api/v1/assets/0'],
      ['DELETE', '/api/v1/assets/x'],
      ['DELETE', '/api/v1/locations/0/tags/0'],
      ['GET', '/api/v1/assets/0/history'],
      ['GET', '/api/v1/locations/0/descendants'],
    ] as const) {
      expect(await organization.call(method, `${path}?color=red`)).toBeInvalid(color);
    }
    const invalid = (field: string) => ({ field, code: 'invalid_value' });
    expect(await organization.get('/api/v1/assets/0/history?limit=x&from=x')).toBeInvalid(
      invalid('from'),
      invalid('limit'),
    );
    expect(await organization.get('/api/v1/locations/0/children?sort=name&limit=x')).toBeInvalid(
      invalid('limit'),
      invalid('sort'),
    );
  });

  it('both ids in the path are reported together', async () => {
    const organization = await world.organization();
    expect(await organization.delete('/api/v1/assets/0/tags/x')).toBeInvalid(
      { field: 'asset_id', code: 'too_small' },
      { field: 'tag_id', code: 'invalid_value' },
    );
  });

  it('the query comes before the row', async () => {
    const organization = await world.organization();
    for (const [path, field, code] of [
      [`assets/${nowhere}/history?limit=0`, 'limit', 'too_small'],
      [`locations/${nowhere}/ancestors?offset=-1`, 'offset', 'too_small'],
      [`locations/${nowhere}/children?sort=name`, 'sort', 'invalid_value'],
      [`locations/${nowhere}/descendants?limit=0`, 'limit', 'too_small'],
      [`assets/${nowhere}?limit=1`, 'limit', 'invalid_context'],
    ] as const) {
      expect(await organization.get(`/api/v1/${path}`), path).toBeInvalid({ field, code });
    }
  });

  it('the presence of scan data comes before unknown keys and nulls', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    const body = { color: 1, name: null, is_active: 'x', location_external_key: 'K', location_id: null };
    const expected = ['location_id', 'location_external_key'].map((field) => ({ field, code: 'read_only' }));
    expect(await organization.post(nouns.assets.path, body)).toBeInvalid(...expected);
    expect(await organization.patch(`${nouns.assets.path}/${id}`, body)).toBeInvalid(...expected);
  });

  describe.each(bothNouns)('in the body of a $noun', (noun) => {
    async function ways() {
      const organization = await world.organization();
      const row = await create(organization, noun);
      return [
        (raw: string) => organization.call('POST', noun.path, { raw }),
        (raw: string) => organization.call('PATCH', `${noun.path}/${row.id}`, { raw }),
      ];
    }

    it('syntax comes before unknown keys', async () => {
      for (const send of await ways()) {
        expect(await send('{"color":1,"name":null,"name":1}')).toBeError({
          type: 'bad_request',
          detail: 'Request body is not valid JSON',
        });
      }
    });

    it('unknown keys come before nulls', async () => {
      for (const send of await ways()) {
        expect(await send('{"name":null,"is_active":1,"color":1}')).toBeInvalid({
          field: 'color',
          code: 'unknown_field',
        });
      }
    });

    it('unknown keys of a tag come before nulls', async () => {
      const organization = await world.organization();
      const answer = await organization.post(noun.path, {
        name: null,
        tags: [{ tag_type: 'x', value: null, color: 1 }],
      });
      expect(answer).toBeInvalid({ field: 'color', code: 'unknown_field', params: { path: 'tags[0].color' } });
    });

    it('nulls come before types and formats', async () => {
      for (const send of await ways()) {
        expect(await send('{"description":"","valid_from":null,"is_active":1,"name":null,"valid_to":"x"}')).toBeInvalid(
          { field: 'name', code: 'invalid_value', message: /^name cannot be null; / },
          { field: 'valid_from', code: 'invalid_value', message: /^valid_from cannot be null; / },
        );
      }
    });
  });

  it.each(bothNouns)('types and formats of a $noun come before the comparison with the row', async (noun) => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const answer = await organization.patch(`${noun.path}/${row.id}`, {
      id: row.id + 1,
      external_key: 'other',
      name: '',
    });
    expect(answer).toBeInvalid({ field: 'name', code: 'too_short' });
  });

  it('the comparison with the row comes before the parent', async () => {
    const organization = await world.organization();
    const [one, two] = [await createLocation(organization), await createLocation(organization)];
    const row = await createLocation(organization);
    const expected = { field: 'id', code: 'read_only' };
    for (const parent of [
      { parent_id: one.id, parent_external_key: two.external_key },
      { parent_id: nowhere },
      { parent_external_key: 'none' },
      { parent_id: row.id },
    ]) {
      expect(await organization.patch(`${nouns.locations.path}/${row.id}`, { id: row.id + 1, ...parent })).toBeInvalid(
        expected,
      );
    }
    expect(await read(organization, nouns.locations, row.id)).toEqual(row);
  });

  it('the parent comes before conflicts', async () => {
    const organization = await world.organization();
    const tags = [{ tag_type: 'ble', value: 'taken' }];
    const taken = await createLocation(organization, { external_key: 'TAKEN', tags });
    const body = { name: 'n', external_key: 'TAKEN', tags };
    const path = nouns.locations.path;
    expect(await organization.post(path, { ...body, parent_id: nowhere })).toBeInvalid({
      field: 'parent_id',
      code: 'fk_not_found',
    });
    const disagreeing = { parent_id: null, parent_external_key: taken.external_key };
    expect(await organization.post(path, { ...body, ...disagreeing })).toBeInvalid(
      { field: 'parent_id', code: 'ambiguous_fields' },
      { field: 'parent_external_key', code: 'ambiguous_fields' },
    );
  });

  it.each(bothNouns)('every error in a field of a $noun comes before conflicts', async (noun) => {
    const organization = await world.organization();
    const tags = [{ tag_type: 'ble', value: 'taken' }];
    await create(organization, noun, { external_key: 'TAKEN', tags });
    const answer = await organization.post(noun.path, { name: '', external_key: 'TAKEN', tags });
    expect(answer).toBeInvalid({ field: 'name', code: 'too_short' });
  });
});

describe('several errors of one stage', () => {
  const wrong = {
    tags: [{ tag_type: 'x', value: '' }],
    valid_to: 'x',
    valid_from: '1970-01-01T00:00:00Z',
    is_active: 'x',
    description: '',
    external_key: 'a b',
  };
  const inOrder = (own: string[]) => [
    'name',
    'external_key',
    'description',
    'is_active',
    ...own,
    'valid_from',
    'valid_to',
    'tag_type',
    'value',
  ];

  it('are all reported, in the order in which an asset declares its fields', async () => {
    const organization = await world.organization();
    const answer = await organization.post(nouns.assets.path, { ...wrong, metadata: [] });
    expect(answer.body.error.fields.map(({ field }: { field: string }) => field)).toEqual(inOrder(['metadata']));
    expect(answer.body.error.detail).toBe('name is required (and 8 more validation errors)');
  });

  it('are all reported, in the order in which a location declares its fields', async () => {
    const organization = await world.organization();
    const answer = await organization.post(nouns.locations.path, { ...wrong, parent_external_key: '', parent_id: 0 });
    expect(answer.body.error.fields.map(({ field }: { field: string }) => field)).toEqual(
      inOrder(['parent_id', 'parent_external_key']),
    );
    expect(answer.body.error.detail).toBe('name is required (and 9 more validation errors)');
  });

  it('are summarized in the singular if one error follows the first', async () => {
    const organization = await world.organization();
    const answer = await organization.post(nouns.assets.path, { name: '', is_active: 1 });
    expect(answer.body.error.detail).toBe('name must be at least 1 character(s) (and 1 more validation error)');
  });

  it('are reported once per field', async () => {
    const organization = await world.organization();
    expect(await organization.post(nouns.assets.path, { name: ` ${'x'.repeat(300)}\u0001` })).toBeInvalid({
      field: 'name',
      code: 'too_long',
    });
  });
});
