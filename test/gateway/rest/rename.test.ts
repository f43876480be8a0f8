import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createLocation, nouns, read, remove } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

describe.each(bothNouns)('renaming a $noun', (noun) => {
  it('changes only the key and updated_at', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { external_key: 'OLD', tags: [{ tag_type: 'ble', value: 'v' }] });
    const answer = await organization.post(`${noun.path}/${row.id}/rename`, { external_key: 'new-1' });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['data', 'descendant_count_affected']);
    const { data, descendant_count_affected: affected } = answer.body;
    expect(affected).toBe(0);
    expect(data).toEqual({ ...row, external_key: 'new-1', updated_at: data.updated_at });
    expect(data.updated_at > row.updated_at).toBe(true);
    expect(await read(organization, noun, row.id)).toEqual(data);
    expect(answer.headers['location']).toBeUndefined();
  });

  it('to its current key changes nothing', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { external_key: 'SAME' });
    for (let round = 0; round < 2; round += 1) {
      const answer = await organization.post(`${noun.path}/${row.id}/rename`, { external_key: 'SAME' });
      expect([answer.status, answer.body]).toEqual([200, { data: row, descendant_count_affected: 0 }]);
    }
  });

  it('to the key of a live row is a conflict', async () => {
    const organization = await world.organization();
    const outsider = await world.organization('Outsiders');
    await create(outsider, noun, { external_key: 'THEIRS' });
    await create(organization, noun, { external_key: 'EXPIRED', valid_to: '2020-01-01T00:00:00Z' });
    const gone = await create(organization, noun, { external_key: 'GONE' });
    await remove(organization, noun, gone.id);
    const row = await create(organization, noun, { external_key: 'ROW' });
    const rename = (key: string) => organization.post(`${noun.path}/${row.id}/rename`, { external_key: key });
    const detail = `${noun.noun} with external_key EXPIRED already exists`;
    expect(await rename('EXPIRED')).toBeError({ type: 'conflict', detail });
    expect(await read(organization, noun, row.id)).toEqual(row);
    for (const key of ['expired', 'THEIRS', 'GONE']) expect((await rename(key)).body.data.external_key).toBe(key);
    expect((await create(organization, noun, { external_key: 'ROW' })).external_key).toBe('ROW');
  });

  it('accepts only a key', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const path = `${noun.path}/${row.id}/rename`;
    const unknown = (field: string) => ({
      field,
      code: 'unknown_field',
      message: `unknown field "${field}" in request body`,
    });
    expect(await organization.post(path, { external_key: 'k', name: 'n', id: row.id })).toBeInvalid(
      unknown('name'),
      unknown('id'),
    );
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('returns 404 for a deleted row', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    await remove(organization, noun, row.id);
    const answer = await organization.post(`${noun.path}/${row.id}/rename`, { external_key: row.external_key });
    expect(answer).toBeError({ type: 'not_found', detail: noun.notFound });
  });
});

it('renaming a location counts its live descendants, and leaves their own fields unchanged', async () => {
  const organization = await world.organization();
  const root = await createLocation(organization, { external_key: 'ROOT' });
  const child = await createLocation(organization, { parent_id: root.id, is_active: false });
  const grandchild = await createLocation(organization, { parent_id: child.id, valid_to: '2020-01-01T00:00:00Z' });
  const gone = await createLocation(organization, { parent_id: root.id });
  await remove(organization, nouns.locations, gone.id);
  await createLocation(organization);
  const rename = async (id: number, key: string) =>
    (await organization.post(`/api/v1/locations/${id}/rename`, { external_key: key })).body;
  expect(await rename(root.id, 'TOP')).toMatchObject({ descendant_count_affected: 2, data: { external_key: 'TOP' } });
  expect(await rename(root.id, 'TOP')).toMatchObject({ descendant_count_affected: 0 });
  expect(await rename(child.id, 'MIDDLE')).toMatchObject({
    descendant_count_affected: 1,
    data: { parent_external_key: 'TOP' },
  });
  const now = await read(organization, nouns.locations, grandchild.id);
  expect(now).toEqual({ ...grandchild, parent_external_key: 'MIDDLE' });
});
