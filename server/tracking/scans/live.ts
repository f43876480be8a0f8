import { tracked } from '@trpc/server';
import { z } from 'zod';
import { ContractError } from '../../kernel/errors.js';
import type { LiveItem } from '../live/items.js';
import { sessionProcedure } from '../../trpc.js';

/** Accepts any text as an id; an unknown id gets a `resync`. tRPC passes the header of a reconnect as this id. */
const input = z.strictObject({ lastEventId: z.string().nullish() }).prefault({});

/**
 * Streams the organization's positions as they change, as server-sent events for `httpSubscriptionLink` of tRPC.
 *
 * The first item of a stream is `ready`: data that a client requests after it overlap with what the stream sends, so
 * nothing is missed. With the id of the last event received, the stream begins instead with the changes since that
 * event, or with `resync` if these are unknown. Every process of the service knows these ids. A `resync` may come
 * later, too: the client then has to load everything again. Positions are as of the moment they are sent, may come more
 * than once, and only advance in `asset_last_seen`, so the later of two is the valid one. Deleted assets are never
 * sent; assets outside their effective window are. Renames, moves in the tree and deletions are not sent. What assets are put into or
 * leave comes with the positions.
 *
 * An item `alerts` has the number of open alerts, after some were opened, acknowledged or ended. A client asks for
 * alerts again whenever it reconnects, since a cursor covers only positions.
 *
 * A stream ends with `unauthorized` within seconds after the access token has expired or the session has ended; a
 * client renews the token and reconnects with its last id. The token is in the `Authorization` header and never in an
 * address, since addresses are logged. The browser's own `EventSource` cannot send headers, so the link is given one
 * based on `fetch`, which asks for the present token at each attempt. A stream that ends for another reason, for
 * example because the service stops, asks the client to reconnect.
 *
 * @throws ContractError `rate_limited` as the first event, if a user or an organization has too many streams open
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
      for await (const { cursor, item } of livePositions.follow(ctx.actor, { after, signal: ending.signal })) {
        yield tracked<LiveItem>(cursor, item);
      }
    } finally {
      signal?.removeEventListener('abort', leave);
      unwatch();
    }
    if (signal?.aborted) return;
    if (ending.signal.reason instanceof ContractError) throw ending.signal.reason;
    // After an orderly end the client would not reconnect.
    throw new DOMException('the service is stopping', 'AbortError');
  });
