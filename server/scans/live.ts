import { tracked } from '@trpc/server';
import { z } from 'zod';
import { ContractError } from '../errors.js';
import type { LiveItem } from '../live/items.js';
import { sessionProcedure } from '../trpc.js';

/** Any text is taken for an id: what is none is answered by a `resync`. tRPC puts the header of a reconnect in here. */
const input = z.strictObject({ lastEventId: z.string().nullish() }).prefault({});

/**
 * The organization's positions as they change, as server-sent events; `httpSubscriptionLink` of tRPC reads them.
 *
 * The first item of a stream is `ready`: what a client asks for after it, and what it is told from then on, leave nothing
 * out. With the id of the event that came last, the first is instead what was missed since, or `resync` if that is not
 * known any more; any process of the service can tell. A `resync` may come at any later time, and then too everything shown
 * is to be asked for again. Positions are those of the moment they are sent, may come more than once, and only move forward
 * in `asset_last_seen`, so of two the later one holds. Deleted assets are never sent, those outside their effective window
 * are. What is renamed, moved in the tree or deleted shows when it is asked for.
 *
 * An item `alerts` has the number of open alerts, after some were opened, acknowledged or ended. A client asks for alerts
 * again whenever it reconnects: a mark covers positions alone.
 *
 * A stream ends with `unauthorized` once the access token has expired or the session is over, within some seconds; a client
 * renews the token and comes back with its last id. The token is in the `Authorization` header as everywhere and in no
 * address, where it would be written down; the browser's own `EventSource` cannot send headers, so the link is given one
 * made on `fetch`, which asks for the present token at each attempt. A stream that ends otherwise, as when the service is
 * stopped, asks to be opened again.
 *
 * @throws ContractError `rate_limited` as the first event, where a person or an organization has too many streams open
 */
export const followPositions = sessionProcedure('viewer')
  .input(input)
  .subscription(async function* ({ ctx, input: { lastEventId }, signal }) {
    const { livePositions, sessionWatch } = ctx.services;
    const ending = new AbortController();
    const leave = () => ending.abort();
    const unwatch = sessionWatch.watch(ctx.actor, (why) => ending.abort(why));
    signal?.addEventListener('abort', leave);
    if (signal?.aborted) leave();
    try {
      const after = lastEventId ?? undefined;
      for await (const { mark, item } of livePositions.follow(ctx.actor, { after, signal: ending.signal })) {
        yield tracked<LiveItem>(mark, item);
      }
    } finally {
      signal?.removeEventListener('abort', leave);
      unwatch();
    }
    if (signal?.aborted) return;
    if (ending.signal.reason instanceof ContractError) throw ending.signal.reason;
    // An orderly end would tell the client that there is nothing more to come for.
    throw new DOMException('the service is stopping', 'AbortError');
  });
