import { expect, it } from 'vitest';
import type { Database, TransactionClient } from '../../server/kernel/database/client.js';
import { enterWith } from '../../server/people/sign-on/enter.js';
import { addPerson, invite } from '../server/people/sign-on/people.js';
import { createSignOnWorld } from '../server/people/sign-on/world.js';
import { fileWorld } from '../support/shared.js';

const world = fileWorld(createSignOnWorld);

// The account, which was there by then, counted as one that is connected to another person at the identity provider.
it('a first sign-on enters although another one of the same person ended after it had looked for the account', async () => {
  const { subject, email } = addPerson(world);
  const proof = { issuer: world.idp.issuer, subject, name: 'Ada Lovelace', email, isEmailVerified: true };
  const context = world.core.contextFor({
    actor: { kind: 'none' },
    requestId: 'test',
    clientAddress: '192.0.2.1',
  });
  const purposeOf = async () => ({ returnTo: '/', invitation: await invite(world) });
  const purposes = [await purposeOf(), await purposeOf()] as const;
  const first = () => enterWith({ ctx: context, proof, purpose: purposes[0] });
  const db = withPause(context.services.db, first);
  const second = await enterWith({
    ctx: { ...context, services: { ...context.services, db } },
    proof,
    purpose: purposes[1],
  });
  expect(second).toMatchObject({ kind: 'entered', session: { user: { email } } });
  expect(await world.db.signOnIdentity.count({ where: { subject } })).toBe(1);
});

/** A database in which something happens once, after the first query of a transaction. */
function withPause(db: Database, happens: () => Promise<unknown>): Database {
  let hasHappened = false;
  const pausing = (tx: TransactionClient): TransactionClient =>
    new Proxy(tx, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (name !== '$queryRaw' || hasHappened) return member;
        return async (...query: Parameters<TransactionClient['$queryRaw']>) => {
          const rows = await target.$queryRaw(...query);
          hasHappened = true;
          await happens();
          return rows;
        };
      },
    });
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name !== '$transaction') return Reflect.get(target, name, receiver) as unknown;
      return (run: (tx: TransactionClient) => Promise<unknown>) => target.$transaction((tx) => run(pausing(tx)));
    },
  });
}
