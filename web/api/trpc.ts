import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, retryLink, splitLink, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../server/router.js';
import { isOffline, problemOf } from './errors.js';
import { lazyLink } from './lazy-link.js';
import { trimLink } from './trim-link.js';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** The bare client, for calls that are not queries of a component. */
export type Api = TRPCClient<AppRouter>;

/** `useTRPC()` makes options for TanStack Query; `useTRPCClient()` is the bare client. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export type Trpc = ReturnType<typeof useTRPC>;

const url = '/trpc';

/**
 * Returns the client for people who are not signed in. The refresh cookie is sent to one path only, so nothing here is
 * batched, and no request has a token.
 */
export function createOpenApi(): Api {
  return createTRPCClient<AppRouter>({ links: [trimLink, httpLink({ url })] });
}

export type TokenSource = {
  /** An access token that does not expire soon; rejects if none is available. */
  token(): Promise<string>;
  /** Called when the service rejected the token. */
  dropToken(): void;
};

/**
 * Returns the client of a signed-in person. Calls made at the same time are sent in one request; calls with the context
 * `alone` are sent separately.
 */
export function createApi({ token, dropToken }: TokenSource): Api {
  const headers = async () => ({ Authorization: `Bearer ${await token()}` });
  return createTRPCClient<AppRouter>({
    links: [
      trimLink,
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: [
          // The subscriber reconnects itself, since it knows how long it has received nothing.
          retryLink({
            retry: ({ error }) => {
              if (problemOf(error).type === 'unauthorized') dropToken();
              return false;
            },
          }),
          lazyLink(async () => (await import('./live-link.js')).createLiveLink({ url, headers, dropToken })),
        ],
        false: [
          retryLink({
            retry({ error, attempts }) {
              if (attempts > 1 || problemOf(error).type !== 'unauthorized') return false;
              dropToken();
              return true;
            },
          }),
          splitLink({
            condition: ({ context }) => context['alone'] === true,
            true: httpLink({ url, headers }),
            false: httpBatchLink({ url, headers, maxItems: 20, maxURLLength: 8000 }),
          }),
        ],
      }),
    ],
  });
}

const retriesMax = 2;

/** Problems of the service that may be over when a query is repeated. */
const passingProblems = new Set<ReturnType<typeof problemOf>['type']>(['internal_error', 'service_unavailable']);

/**
 * Responses are fresh for a few seconds. Rejected requests are not repeated; requests that did not reach the service
 * are.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        gcTime: 5 * 60_000,
        retry: (failures, error) =>
          failures < retriesMax && (isOffline(error) || passingProblems.has(problemOf(error).type)),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
