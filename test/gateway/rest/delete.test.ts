import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import {
  addSightings,
  bothNouns,
  create,
  createAsset,
  createLocation,
  daysAgo,
  nouns,
  read,
  remove,
} from '../../support/factories.js';
import { sharedWorld, type TestOrganization } from '../../support/world.js';

const world = await sharedWorld();

describe.each(bothNouns)('deleting a $noun', (noun) => {
  it('hides the row, and returns 404 for a second deletion', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { external_key: 'K', tags: [{ tag_type: 'rfid', value: 'v' }] });
    const path = `${noun.path}/${row.id}`;
    const answer = await organization.delete(path);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
    const missing = { type: 'not_found', detail: noun.notFound, instance: path };
    expect(await organization.delete(path)).toBeError(missing);
    expect(await organization.get(path)).toBeError(missing);
    expect((await organization.get(noun.path)).body).toMatchObject({ data: [], total_count: 0 });
    const { body } = await organization.get(`${noun.path}?external_key=K&include_deleted=true`);
    expect(body).toMatchObject({ total_count: 1 });
    const [deleted] = body.data;
    expect(deleted).toEqual({ ...row, deleted_at: deleted.deleted_at });
    expect(deleted.deleted_at >= row.created_at).toBe(true);
  });

  it('frees its key and tags for other rows, and still lists the deleted row with them', async () => {
    const organization = await world.organization();
    const fields = { external_key: 'K', tags: [{ tag_type: 'rfid', value: 'v' }] };
    const first = await create(organization, noun, fields);
    await remove(organization, noun, first.id);
    const second = await create(organization, noun, fields);
    await remove(organization, noun, second.id);
    const third = await create(organization, noun, fields);
    const { body } = await organization.get(`${noun.path}?include_deleted=true&sort=created_at`);
    expect(body.total_count).toBe(3);
    expect(body.data.map((row: { tags: unknown }) => row.tags)).toEqual([first.tags, second.tags, third.tags]);
  });
});

describe('deleting a location', () => {
  const children =
    'location has descendant locations; reassign or remove them before deleting (cascade is not supported)';
  const assets = 'location has assets placed at it; move or remove them before deleting (cascade is not supported)';
  const { path } = nouns.locations;

  /** Stores that an asset was seen at a location a number of days ago; creates the asset unless one is given. */
  async function place(
    organization: TestOrganization,
    { at, days, assetId }: { at: number | null; days: number; assetId?: number },
  ): Promise<number> {
    const id = assetId ?? (await createAsset(organization)).id;
    await addSightings(world, [{ orgId: organization.orgId, assetId: id, locationId: at, at: daysAgo(days) }]);
    return id;
  }

  it('is rejected while it has a live child, even an inactive one', async () => {
    const organization = await world.organization();
    for (const fields of [
      {},
      { is_active: false },
      { valid_to: '2020-01-01T00:00:00Z' },
      { valid_from: '2999-01-01T00:00:00Z' },
    ]) {
      const parent = await createLocation(organization);
      const child = await createLocation(organization, { parent_id: parent.id, ...fields });
      for (let round = 0; round < 2; round += 1) {
        expect(await organization.delete(`${path}/${parent.id}`)).toBeError({ type: 'conflict', detail: children });
      }
      expect(await read(organization, nouns.locations, parent.id)).toEqual(parent);
      await remove(organization, nouns.locations, child.id);
      await remove(organization, nouns.locations, parent.id);
    }
  });

  it('succeeds after its children have moved', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization);
    const child = await createLocation(organization, { parent_id: parent.id });
    await organization.patch(`${path}/${child.id}`, { parent_id: null });
    expect((await organization.delete(`${path}/${parent.id}`)).status).toBe(204);
  });

  it('is rejected while a live asset is directly at the location', async () => {
    const organization = await world.organization();
    const location = await createLocation(organization);
    const elsewhere = await createLocation(organization);
    const asset = await place(organization, { at: location.id, days: 5 });
    const refused = { type: 'conflict', detail: assets };
    expect(await organization.delete(`${path}/${location.id}`)).toBeError(refused);
    await organization.patch(`${nouns.assets.path}/${asset}`, { is_active: false, valid_to: '2020-01-01T00:00:00Z' });
    expect(await organization.delete(`${path}/${location.id}`)).toBeError(refused);
    await place(organization, { at: elsewhere.id, days: 4, assetId: asset });
    // It was there once, which is history and binds nothing.
    await remove(organization, nouns.locations, location.id);
    await remove(organization, nouns.assets, asset);
    await remove(organization, nouns.locations, elsewhere.id);
  });

  it('is rejected first for its children, then for its assets', async () => {
    const organization = await world.organization();
    const location = await createLocation(organization);
    const child = await createLocation(organization, { parent_id: location.id });
    await place(organization, { at: location.id, days: 3 });
    expect(await organization.delete(`${path}/${location.id}`)).toBeError({ type: 'conflict', detail: children });
    await remove(organization, nouns.locations, child.id);
    expect(await organization.delete(`${path}/${location.id}`)).toBeError({ type: 'conflict', detail: assets });
  });

  it('ignores assets at other locations', async () => {
    const organization = await world.organization();
    const location = await createLocation(organization);
    const child = await createLocation(organization, { parent_id: location.id });
    const asset = await place(organization, { at: child.id, days: 3 });
    await place(organization, { at: null, days: 2 });
    await organization.patch(`${path}/${child.id}`, { parent_id: null });
    await remove(organization, nouns.locations, location.id);
    expect(await organization.delete(`${path}/${child.id}`)).toBeError({ type: 'conflict', detail: assets });
    await remove(organization, nouns.assets, asset);
    await remove(organization, nouns.locations, child.id);
  });

  it('keeps the key of the parent on a deleted child', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization, { external_key: 'PARENT' });
    const child = await createLocation(organization, { external_key: 'CHILD', parent_id: parent.id });
    await remove(organization, nouns.locations, child.id);
    await remove(organization, nouns.locations, parent.id);
    const { body } = await organization.get(`${path}?include_deleted=true&external_key=CHILD`);
    expect(body.data).toMatchObject([{ parent_id: parent.id, parent_external_key: 'PARENT' }]);
  });
});
