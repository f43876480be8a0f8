import { httpSubscriptionLink, type TRPCLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import type { AppRouter } from '../../server/router.js';

type LiveLinkOptions = { url: string; headers(): Promise<Record<string, string>>; dropToken(): void };

/**
 * Returns the link of subscriptions. The browser's own EventSource cannot send the header, and a token in the address
 * would be logged.
 */
export function createLiveLink({ url, headers, dropToken }: LiveLinkOptions): TRPCLink<AppRouter> {
  return httpSubscriptionLink<AppRouter, typeof EventSource>({
    url,
    EventSource,
    eventSourceOptions: () => ({
      fetch: async (input, init) => {
        const answer = await fetch(input, { ...init, headers: { ...init.headers, ...(await headers()) } });
        if (answer.status === 401) dropToken();
        return answer;
      },
    }),
  });
}
