import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createIdentity } from '../../../../server/people/auth/identity.js';
import { createStreamLimiter } from '../../../../server/tracking/live/stream-limiter.js';
import { createClient } from '../../../support/rest-client.js';
import { authSecret } from '../../../support/caller.js';
import { openEventStream } from '../../../support/event-stream.js';
import { createLiveWorld } from '../../../support/live-world.js';
import { createFixture, nextMoved, opened, refusal } from './live-stream.js';
import { fileWorld, useFakeTimers } from '../../../support/shared.js';

const world = fileWorld(createLiveWorld);

const setUp = () => createFixture(world);

describe('a stream', () => {
  it('needs a session, and reports why it is rejected', async () => {
    const { org, session } = await setUp();
    const url = `${world.url}/trpc/scans.live`;
    using nobody = await openEventStream(url);
    expect(await refusal(nobody)).toMatchObject({ code: 'UNAUTHORIZED', httpStatus: 401 });
    expect(await nobody.ended()).toBe('complete');
    using forged = await openEventStream(url, { token: `${session.token.slice(0, -8)}AAAAAAAA` });
    expect(await refusal(forged)).toMatchObject({
      code: 'UNAUTHORIZED',
      error: { detail: 'Invalid or expired token' },
    });
    const identity = createIdentity({
      db: world.db,
      log: world.log,
      settings: { authSecret, environment: world.settings.environment },
    });
    const { id } = await world.db.apiKey.create({
      data: { id: crypto.randomUUID(), orgId: org.orgId, name: 'key', scopes: ['tracking:read'] },
    });
    using byKey = await openEventStream(url, { token: await identity.signApiKey({ id, expiresAtMs: null }) });
    expect(await refusal(byKey)).toMatchObject({ code: 'UNAUTHORIZED', error: { detail: 'Session required' } });
    using inAddress = await openEventStream(
      `${url}?connectionParams=${encodeURIComponent(JSON.stringify({ token: session.token }))}`,
    );
    expect(await refusal(inAddress)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('passes proxies unchanged, and sends browsers the delay of a reconnect', async () => {
    const { session } = await setUp();
    using stream = await session.live();
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(await stream.next()).toMatchObject({ event: 'connected', data: { reconnectAfterInactivityMs: 25_000 } });
  });

  it('ends within seconds when its session does, even if another process ended it', async () => {
    const { org, session } = await setUp();
    const removed = await world.session(org.orgId);
    using first = await opened(session);
    using second = await opened(removed);
    await world.db.session.update({ where: { id: session.sessionId }, data: { revokedAt: new Date() } });
    await world.db.membership.delete({ where: { orgId_userId: { orgId: org.orgId, userId: removed.userId } } });
    for (const stream of [first, second]) {
      expect(await refusal(stream)).toMatchObject({
        code: 'UNAUTHORIZED',
        error: { type: 'unauthorized', detail: 'Invalid or expired token' },
      });
      expect(await stream.ended()).toBe('complete');
    }
  });

  it('ends when its access token does, and goes on with the next one', async () => {
    const { asset, session, read } = await setUp();
    using stream = await opened(session);
    // Access tokens last for 15 minutes.
    useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect(await refusal(stream)).toMatchObject({ code: 'UNAUTHORIZED' });
    vi.useRealTimers();
    await read();
    using next = await session.live({ lastEventId: stream.lastEventId() ?? '' });
    expect(await nextMoved(next)).toMatchObject([{ asset_id: asset }]);
  });

  it('is one of at most twenty of a person', async () => {
    const { org, session } = await setUp();
    const streams = await Promise.all(Array.from({ length: 20 }, () => opened(session)));
    using refused = await session.live();
    expect(await refusal(refused)).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      error: { type: 'rate_limited', detail: 'A person may have 20 live streams open; close one or come back later' },
    });
    using other = await opened(await world.session(org.orgId));
    expect(other.status).toBe(200);
    const { text } = await createClient(world.url).get('/metrics');
    expect(Number(/^whereabouts_live_streams (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(21);
    for (const stream of streams) stream.close();
    // One is free again once the service has noticed that the others are gone.
    for (;;) {
      using again = await session.live();
      await again.next();
      if ((await again.next())?.event === 'message') break;
    }
  });

  it('is one of at most 500 of an organization', () => {
    const limiter = createStreamLimiter();
    for (let no = 0; no < 499; no += 1) limiter.take({ orgId: 1, userId: no });
    const release = limiter.take({ orgId: 1, userId: 499 });
    const next = () => limiter.take({ orgId: 1, userId: 500 });
    expect(next).toThrow('An organization may have 500 live streams open');
    limiter.take({ orgId: 2, userId: 500 });
    release();
    next();
    expect(next).toThrow('An organization may have 500 live streams open');
  });

  it('does not hold the service up when it stops, and asks to be opened elsewhere', async () => {
    const { session } = await setUp();
    const { url, close } = await world.another();
    using idle = await opened(session, { url });
    using paused = await opened(session, { url });
    paused.pause();
    // What is still open after a while is broken off by force; here that time never comes.
    useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await close();
    vi.useRealTimers();
    expect(await idle.ended()).toBe('broken off');
    expect(await idle.next()).toBeUndefined();
  });
});
