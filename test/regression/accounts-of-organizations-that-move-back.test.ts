import { expect, test } from 'vitest';
import { claimIdRanges } from '../../server/operations/moves/cell-number.js';
import { removeMovedOrganization } from '../../server/operations/moves/end-move.js';
import { moveOrganization } from '../../server/operations/moves/move-organization.js';
import { openTestDb } from '../support/models.js';
import { replacePassword } from '../../server/people/session/queries.js';
import { disconnectIdentities, insertIdentity } from '../../server/people/sign-on/queries.js';
import { createAlertingWorld } from '../support/alerting-world.js';
import { createTestDatabase } from '../support/postgres.js';

const issuer = 'https://login.example.com';

/** Two cells; `there` is the database of the other one. */
async function createCells() {
  const world = await createAlertingWorld();
  const target = await createTestDatabase();
  await claimIdRanges({ url: target.url, cellNumber: 1 });
  const there = openTestDb(target.url, 2);
  const ends = { orgId: world.org.orgId, sourceUrl: world.databaseUrl, targetUrl: target.url };
  const back = { ...ends, sourceUrl: target.url, targetUrl: world.databaseUrl };
  const options = { report: () => {}, direct: () => Promise.resolve(), noticedWithinMs: 0 };
  return {
    ...{ world, here: world.db, there, userId: world.session.userId },
    async leave() {
      await moveOrganization({ ...ends, ...options });
      await removeMovedOrganization(ends);
    },
    comeBack: () => moveOrganization({ ...back, ...options }),
    async [Symbol.asyncDispose]() {
      await there.$disconnect();
      await world[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

test('an organization that moves back brings the newer password and set of identities, and ends older sessions', async () => {
  await using cells = await createCells();
  const { world, here, there, userId } = cells;
  const neighbor = await world.organization('North');
  await here.membership.create({ data: { orgId: neighbor.orgId, userId, role: 'viewer' } });
  const id = '5b1d1f2e-8f60-4e4b-8a51-6a4a1f0f9b22';
  await here.session.create({ data: { id, userId, orgId: neighbor.orgId } });
  await here.$transaction((tx) => insertIdentity(tx, userId, { issuer, subject: 'old' }));
  await cells.leave();
  await there.$transaction(async (tx) => {
    expect(await replacePassword(tx, userId, { from: 'none', to: 'newer' })).toBe(true);
    await disconnectIdentities(tx, userId);
    await insertIdentity(tx, userId, { issuer, subject: 'new' });
  });
  await cells.comeBack();
  const user = await here.user.findUniqueOrThrow({ where: { id: userId }, include: { signOnIdentities: true } });
  expect(user.passwordHash).toBe('newer');
  expect(user.signOnIdentities.map(({ subject }) => subject)).toEqual(['new']);
  const sessions = await here.session.findMany({ where: { userId } });
  const open = sessions.filter(({ revokedAt }) => revokedAt === null).map(({ orgId }) => orgId);
  expect(open).toEqual([world.org.orgId]);
});

test('an account that was changed last in the cell that the organization moves back to stays as it is', async () => {
  await using cells = await createCells();
  const { here, there, userId } = cells;
  await cells.leave();
  await there.$transaction((tx) => replacePassword(tx, userId, { from: 'none', to: 'older' }));
  await here.$transaction(async (tx) => {
    await replacePassword(tx, userId, { from: 'none', to: 'newer' });
    await insertIdentity(tx, userId, { issuer, subject: 'own' });
  });
  await cells.comeBack();
  const user = await here.user.findUniqueOrThrow({ where: { id: userId }, include: { signOnIdentities: true } });
  expect(user.passwordHash).toBe('newer');
  expect(user.signOnIdentities.map(({ subject }) => subject)).toEqual(['own']);
  expect(await here.session.count({ where: { userId, revokedAt: null } })).toBe(0);
});
