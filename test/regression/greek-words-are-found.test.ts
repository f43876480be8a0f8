import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

test('a search in capitals finds a Greek word whose last letter has a form of its own', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  await organization.post('/api/v1/locations', { name: 'οδοσήμανση', external_key: 'SIGN' });
  await organization.post('/api/v1/locations', { name: 'ΟΔΟΣ', external_key: 'ROAD' });

  const keys = async (q: string) =>
    (await organization.get(`/api/v1/locations?q=${encodeURIComponent(q)}`)).body.data.map(
      (location: { external_key: string }) => location.external_key,
    );
  expect(await keys('ΟΔΟΣ')).toEqual(['ROAD', 'SIGN']);
  expect(await keys('οδός'.normalize('NFD').replaceAll(/\p{M}/gu, ''))).toEqual(['ROAD', 'SIGN']);
  expect(await keys('σ')).toEqual(['ROAD', 'SIGN']);
});
