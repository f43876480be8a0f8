import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { AppRouter } from '../../server/router.js';

/**
 * Returns a link whose code is loaded when the first operation passes through it. If it cannot be loaded, the operation
 * fails.
 */
export function lazyLink(load: () => Promise<TRPCLink<AppRouter>>): TRPCLink<AppRouter> {
  let loaded: Promise<TRPCLink<AppRouter>> | undefined;
  return (runtime) => (operation) =>
    observable((observer) => {
      let isOver = false;
      let subscription: Unsubscribable | undefined;
      loaded ??= load();
      loaded.then(
        (link) => {
          if (!isOver) subscription = link(runtime)(operation).subscribe(observer);
        },
        (error: unknown) => {
          loaded = undefined;
          observer.error(TRPCClientError.from(error instanceof Error ? error : new Error(String(error))));
        },
      );
      return () => {
        isOver = true;
        subscription?.unsubscribe();
      };
    });
}
