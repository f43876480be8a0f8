import { describe, expect, it } from 'vitest';
import { createIdentity } from '../../../../server/people/auth/identity.js';
import { type Database, openDatabase } from '../../../../server/kernel/database/client.js';
import { addMember, addOrganization, authSecret, createServicesWorld } from '../../../support/caller.js';
import { addKey, handClock, silentLog } from './keys.js';

describe('the hot path', () => {
  it('reads a key once for all who ask at the same time, and not again for 900 ms', async () => {
    const clock = handClock();
    await using world = await createServicesWorld({ clocks: clock });
    const { token } = await addKey(world, await addOrganization(world));
    const { db, reads } = counting(world.db);
    const identity = createIdentity({
      db,
      log: silentLog,
      settings: { authSecret, environment: 'production' },
      ...clock,
    });
    const actors = await Promise.all(Array.from({ length: 100 }, () => identity.identify(token)));
    expect(new Set(actors).size).toBe(1);
    expect(reads()).toBe(1);
    clock.ms += 899;
    for (let n = 0; n < 1000; n += 1) await identity.identify(token);
    expect(reads()).toBe(1);
    clock.ms += 1;
    await Promise.all(Array.from({ length: 100 }, () => identity.identify(token)));
    expect(reads()).toBe(2);
    await identity.stop();
  });

  it('reports a fault of the database, and recovers from it', async () => {
    await using world = await createServicesWorld();
    const { id, token } = await addKey(world, await addOrganization(world));
    const { token: sessionToken } = await addMember(world, await addOrganization(world), 'viewer');
    await using broken = openDatabase({ url: 'postgres://x:x@127.0.0.1:1/none', poolSize: 1 });
    let db: Database = broken.db;
    const switching: Database = new Proxy(world.db, { get: (_target, name) => Reflect.get(db, name) as unknown });
    const identity = createIdentity({
      db: switching,
      log: silentLog,
      settings: { authSecret, environment: 'production' },
    });
    await expect(identity.identify(token)).rejects.not.toMatchObject({ type: 'unauthorized' });
    await expect(identity.identify(sessionToken)).rejects.not.toMatchObject({ type: 'unauthorized' });
    db = world.db;
    expect(await identity.identify(token)).toMatchObject({ keyId: id });
    expect(await identity.identify(sessionToken)).toMatchObject({ role: 'viewer' });
    await identity.stop();
  });
});

/** The database, counting the rows it is asked for. */
function counting(db: Database) {
  let count = 0;
  const proxy = new Proxy(db, {
    get(target, name) {
      if (name === '$queryRaw') count += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { db: proxy, reads: () => count };
}
