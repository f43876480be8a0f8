import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import '../../support/expect-error.js';
import { addSession, createAsset, createLocation, nouns, type TestSession } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

// The API shows no containers. What is in one is placed where it is, which these three answers show (contract 2.5, 2.6, 3.7).

const world = await sharedWorld();

/** A cart at one location, with a box in it that was never read. */
async function cartWithBox() {
  const organization = await world.organization();
  const person = await addSession(world, organization.orgId, 'operator');
  const ward = await createLocation(organization, { external_key: 'WARD' });
  const store = await createLocation(organization, { external_key: 'STORE' });
  const cart = await createAsset(organization, { external_key: 'CART' });
  const box = await createAsset(organization, { external_key: 'BOX' });
  const move = (locationId: number) =>
    call(person, 'scans.submit', {
      submission_id: ulid(),
      location_id: locationId,
      reads: [{ asset_id: cart.id }],
    });
  await move(ward.id);
  await call(person, 'containers.putIn', { container_id: cart.id, asset_ids: [box.id] });
  return { organization, ward, store, cart, box, move };
}

async function call(person: TestSession, procedure: string, input: unknown): Promise<void> {
  const answer = await person.post(`/trpc/${procedure}`, input);
  expect(answer.status, answer.text).toBe(200);
}

it('an asset in a container has a row in the report', async () => {
  const { organization, box } = await cartWithBox();
  const { body } = await organization.get(`/api/v1/reports/asset-locations?asset_id=${box.id}`);
  expect(body.data).toMatchObject([
    { asset_external_key: 'BOX', location_external_key: 'WARD', asset_deleted_at: null },
  ]);
});

it('an asset in a container has a row in its history for each move of the container', async () => {
  const { organization, ward, store, box, move } = await cartWithBox();
  await move(store.id);
  await move(ward.id);
  const { body } = await organization.get(`${nouns.assets.path}/${box.id}/history`);
  const keys = (body.data as { location_external_key: string }[]).map((row) => row.location_external_key);
  expect(keys).toEqual(['WARD', 'STORE', 'WARD']);
});

it('rejects the deletion of a location that has a contained asset, even after the container is deleted', async () => {
  const { organization, ward, cart } = await cartWithBox();
  const detail = 'location has assets placed at it; move or remove them before deleting (cascade is not supported)';
  const path = `${nouns.locations.path}/${ward.id}`;
  expect(await organization.delete(path)).toBeError({ type: 'conflict', detail, instance: path });
  await organization.delete(`${nouns.assets.path}/${cart.id}`);
  expect(await organization.delete(path)).toBeError({ type: 'conflict', detail, instance: path });
});

it('putting an asset into a container changes neither its fields nor its updated_at', async () => {
  const { organization, box } = await cartWithBox();
  const { body } = await organization.get(`${nouns.assets.path}/${box.id}`);
  expect(Object.keys(body.data).sort()).toEqual([...nouns.assets.keys].sort());
  expect(body.data.updated_at).toBe(box.updated_at);
});
