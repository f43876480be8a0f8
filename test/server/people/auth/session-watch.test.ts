import { describe, expect, it, vi } from 'vitest';
import { createSessionWatch, type WatchedSession } from '../../../../server/people/auth/session-watch.js';
import { createLog } from '../../../../server/kernel/log.js';
import { addMember, addOrganization, createServicesWorld, type ServicesWorld } from '../../../support/caller.js';

/** A watch that checks as often as it can, with the sessions that it reported as ended, by name. */
function watching({ db }: Pick<ServicesWorld, 'db'>) {
  const warn = vi.fn<(...args: unknown[]) => void>();
  const sessionWatch = createSessionWatch({ db, log: { ...createLog('silent'), warn } as never, everyMs: 5 });
  const ended = new Map<string, string>();
  const wakers: (() => void)[] = [];
  return {
    ended,
    warn,
    sessionWatch,
    watch: (name: string, session: WatchedSession) =>
      sessionWatch.watch(session, ({ type, message }) => {
        ended.set(name, `${type}: ${message}`);
        for (const wake of wakers.splice(0)) wake();
      }),
    async untilEnded(name: string) {
      while (!ended.has(name)) await new Promise<void>((resolve) => wakers.push(resolve));
    },
  };
}

describe('the watch over sessions', () => {
  it('reports each session that has ended, and no other', async () => {
    await using world = await createServicesWorld();
    const { db } = world;
    const [one, two] = [await addOrganization(world), await addOrganization(world)];
    const names = ['stays', 'signed out', 'removed', 'expired', 'of another organization', 'left alone'] as const;
    const { ended, watch, untilEnded, sessionWatch } = watching(world);
    const members = new Map<string, WatchedSession & { unwatch: () => void }>();
    for (const name of names) {
      const { actor } = await addMember(world, one, 'viewer');
      const session =
        name === 'expired'
          ? { ...actor, expiresAtMs: Date.now() - 1 }
          : name === 'of another organization'
            ? { ...actor, orgId: two }
            : actor;
      members.set(name, { ...session, unwatch: watch(name, session) });
    }
    members.get('left alone')?.unwatch();
    const signedOut = members.get('signed out');
    const removed = members.get('removed');
    await db.session.update({ where: { id: signedOut?.sessionId ?? '' }, data: { revokedAt: new Date() } });
    await db.membership.delete({ where: { orgId_userId: { orgId: one, userId: removed?.userId ?? 0 } } });
    await db.session.update({
      where: { id: members.get('left alone')?.sessionId ?? '' },
      data: { revokedAt: new Date() },
    });
    const over = ['signed out', 'removed', 'expired', 'of another organization'];
    for (const name of over) await untilEnded(name);
    expect(ended).toEqual(new Map([...ended.keys()].map((name) => [name, 'unauthorized: Invalid or expired token'])));
    expect([...ended.keys()].sort()).toEqual(over.sort());
    await sessionWatch.stop();
  });

  it('lets sessions count while the database cannot be asked, and expired tokens not', async () => {
    await using world = await createServicesWorld();
    const { actor } = await addMember(world, await addOrganization(world), 'admin');
    const away = vi.fn<() => Promise<never>>(async () => {
      throw new Error('the database is unavailable');
    });
    const { ended, watch, untilEnded, sessionWatch, warn } = watching({ db: { $queryRaw: away } as never });
    watch('stays', actor);
    watch('expires', { ...actor, expiresAtMs: Date.now() + 30 });
    await untilEnded('expires');
    await sessionWatch.stop();
    expect([...ended.keys()]).toEqual(['expires']);
    expect(warn.mock.calls.length).toBe(away.mock.calls.length);
    expect(away.mock.calls.length).toBeGreaterThan(0);
  });
});
