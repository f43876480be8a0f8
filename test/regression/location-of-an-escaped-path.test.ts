import { expect, it } from 'vitest';
import { createAsset } from '../support/factories.js';
import { sharedWorld } from '../support/world.js';

// The path of the request was repeated as it had come.
it('Location names a new tag by plain ids, however the request wrote them', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const { id } = await createAsset(organization);
  const escaped = String(id).replaceAll(/\d/g, '%3$&');
  const answer = await organization.post(`/api/v1/assets/${escaped}/tags`, { tag_type: 'ble', value: 'v' });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.headers['location']).toBe(`/api/v1/assets/${id}/tags/${answer.body.data.id}`);
});
