import { expect, it } from 'vitest';
import { createAsset } from '../../support/factories.js';
import { createWorld } from '../../support/world.js';

it('an internal error is reported without its cause', async () => {
  await using world = await createWorld();
  const organization = await world.organization();
  const { id } = await createAsset(organization);
  await world.db.$executeRaw`ALTER TABLE asset_positions RENAME TO elsewhere`;
  const path = '/api/v1/reports/asset-locations';
  const answer = await organization.get(path);
  expect(answer.status).toBe(500);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'x-ratelimit-limit': expect.any(String) });
  expect(answer.body).toEqual({
    error: {
      type: 'internal_error',
      title: 'Internal server error',
      status: 500,
      detail: 'An unexpected error occurred',
      instance: path,
      request_id: answer.headers['x-request-id'],
    },
  });
  expect((await organization.get(`/api/v1/assets/${id}`)).status).toBe(200);
  await world.db.$executeRaw`ALTER TABLE elsewhere RENAME TO asset_positions`;
  expect((await organization.get(path)).status).toBe(200);
});
