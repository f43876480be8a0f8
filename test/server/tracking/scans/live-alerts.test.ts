import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EventStream } from '../../../support/event-stream.js';
import { createLiveWorld } from '../../../support/live-world.js';

/** The next item about alerts; others are passed over. */
async function nextCount(stream: EventStream): Promise<unknown> {
  for (;;) {
    const next = await stream.next();
    if (!next) throw new Error(`the stream was ${await stream.ended()}`);
    if (next.data?.kind === 'alerts') return next.data.open;
  }
}

it('sends the number of open alerts to each process when some are opened, acknowledged or ended, and to no other organization', async () => {
  await using world = await createLiveWorld();
  const { db } = world;
  const [org, other] = [await world.organization(), await world.organization()];
  const away = await world.another();
  const session = await world.session(org.orgId);
  using here = await session.live();
  using there = await session.live({ url: away.url });
  using elsewhere = await (await world.session(other.orgId)).live();
  for (const stream of [here, there, elsewhere]) {
    let kind: unknown;
    while (kind !== 'ready') kind = (await stream.next())?.data?.kind;
  }
  const open = async (orgId: number, fields: { inApp?: boolean; isCondition?: boolean } = {}) => {
    const { id } = await db.alert.create({
      data: {
        orgId,
        ruleName: 'Rule',
        eventKey: randomUUID(),
        eventType: 'asset.overdue',
        subject: 'asset:1',
        data: {},
        inApp: true,
        isCondition: false,
        openedAt: new Date(),
        ...fields,
      },
    });
    return Number(id);
  };

  // Alerts that the app does not list are not sent.
  await open(org.orgId, { inApp: false });
  const first = await open(org.orgId);
  for (const stream of [here, there]) expect(await nextCount(stream)).toEqual({ count: 1, is_more: false });
  await open(org.orgId);
  for (const stream of [here, there]) expect(await nextCount(stream)).toEqual({ count: 2, is_more: false });
  await org.admin.alerts.acknowledge({ ids: [first] });
  for (const stream of [here, there]) expect(await nextCount(stream)).toEqual({ count: 1, is_more: false });
  await db.alert.updateMany({ where: { orgId: org.orgId }, data: { endedAt: new Date() } });
  for (const stream of [here, there]) expect(await nextCount(stream)).toEqual({ count: 0, is_more: false });
  await open(other.orgId);
  expect(await nextCount(elsewhere)).toEqual({ count: 1, is_more: false });
}, 60_000);
