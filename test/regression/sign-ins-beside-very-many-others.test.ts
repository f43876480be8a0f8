import { expect, test } from 'vitest';
import { createCaller, createServicesWorld, nobody, refusalOf } from '../support/caller.js';

test('sign-ins of one network with invented names do not keep people of other networks out', async () => {
  await using world = await createServicesWorld();
  const person = { email: 'ada@example.com', password: 'analytical engine' };
  await createCaller(world.services).session.signUp({ organization_name: 'Acme', name: 'Ada', ...person });
  const { identity } = world.services;
  let checks = 0;
  const passwords: typeof identity.passwords = {
    ...identity.passwords,
    verify(...given) {
      checks += 1;
      return identity.passwords.verify(...given);
    },
  };
  const services = { ...world.services, identity: { ...identity, passwords } };
  const from = (clientAddress: string) => createCaller(services, nobody, { clientAddress }).session;
  const crowd = Array.from({ length: 90 }, (_, n) =>
    refusalOf(from('192.0.2.1').signIn({ ...person, email: `${n}@example.com` })),
  );
  // More than one network may have waiting.
  await expect.poll(() => checks, { interval: 5 }).toBe(90);
  expect(await from('198.51.100.1').signIn(person)).toMatchObject({ user: { email: person.email } });
  await Promise.all(crowd);
});
