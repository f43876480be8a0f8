import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createMaintenance } from '../../../server/operations/maintenance.js';
import { addMember, addOrganization, createServicesWorld } from '../../support/caller.js';
import { pollOptions } from '../../support/poll-options.js';

const dayMs = 86_400_000;

test('a start makes the partitions, and removes what is kept for a time only', async () => {
  await using world = await createServicesWorld();
  const { db, services } = world;
  const orgId = await addOrganization(world);
  const member = await addMember(world, orgId, 'admin');
  const ended = randomUUID();
  await db.session.create({
    data: { id: ended, userId: member.userId, orgId, revokedAt: new Date(Date.now() - 2 * dayMs) },
  });
  const rejected = { orgId, readerId: 1, topic: 't', reason: 'r', payload: new Uint8Array([1]) };
  await db.rejectedMessage.create({ data: { ...rejected, receivedAt: new Date(Date.now() - 8 * dayMs) } });
  await db.rejectedMessage.create({ data: { ...rejected, receivedAt: new Date(Date.now() - 6 * dayMs) } });

  const maintenance = createMaintenance(services);
  await maintenance.start();
  const sessionIds = () => db.session.findMany({ select: { id: true } });
  await expect.poll(sessionIds, pollOptions).toEqual([{ id: member.sessionId }]);
  await maintenance.stop();

  expect(await db.rejectedMessage.count()).toBe(1);
  const partitions = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM pg_inherits WHERE inhparent = 'scan_events'::regclass`;
  expect(partitions[0]?.n).toBeGreaterThanOrEqual(14);
});
