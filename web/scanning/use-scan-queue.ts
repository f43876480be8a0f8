import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useTRPCClient } from '../api/trpc.js';
import { useSession, useSessionControl } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import type { Session } from '../session/session.js';
import { keepLocationTags } from './location-tags.js';
import { createResolver, type Resolver } from './resolver.js';
import { createScanQueue, type QueueSnapshot, type ScanQueue } from './scan-queue.js';
import { openScanStore } from './store.js';
import { submitBatch } from './submit-batch.js';

const resolveMaxMs = 3000;
/** The interval of asking for the tags of locations, and how long an answer may take on a slow network. */
const tagsEveryMs = 10 * 60_000;
const tagsMaxMs = 60_000;
/** The interval of retries to get the session from a service that could not be reached. */
const comeBackMs = 10_000;

/**
 * Returns the queue of the person who is or was last signed in, and its content. It sends while the component is
 * mounted.
 */
export function useScanQueue(): [ScanQueue, QueueSnapshot] {
  const api = useTRPCClient();
  const session = useSessionControl();
  const owner = ownerOf(useSession());
  const queue = useMemo(
    () =>
      createScanQueue({ owner, submit: (batch) => submitBatch(api, batch), isOwner: () => isOwnedBy(session, owner) }),
    [api, session, owner],
  );

  useEffect(() => queue.start(), [queue]);
  // After a session is restored or a new one begins, the queue is sent.
  useEffect(() => session.subscribe(queue.send), [session, queue]);
  useEffect(() => {
    const comeBack = () => {
      if (navigator.onLine && session.state().status === 'unreachable') void session.start();
    };
    const timer = setInterval(comeBack, comeBackMs);
    window.addEventListener('online', comeBack);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', comeBack);
    };
  }, [session]);

  return [queue, useSyncExternalStore(queue.subscribe, queue.snapshot)];
}

function isOwnedBy(session: Session, owner: string): boolean {
  const state = session.state();
  return state.status === 'signed-in' && ownerOf(state) === owner;
}

/** Keeps the locations with their tags on this device while the component is mounted, for when there is no network. */
export function useLocationTags(): void {
  const api = useTRPCClient();
  const session = useSessionControl();
  const owner = ownerOf(useSession());
  useEffect(() => {
    const isOwner = () => isOwnedBy(session, owner);
    const ask = (asked: { version?: string; from?: number }) =>
      api.scans.locationTags.query(asked, { signal: AbortSignal.timeout(tagsMaxMs), context: { alone: true } });
    const keep = async () => {
      if (!navigator.onLine || !isOwner()) return;
      const store = await openScanStore();
      await keepLocationTags({ store, owner, ask, isOwner }).finally(() => store.close());
    };
    // Without an answer, the former list stays until the next time.
    const tryToKeep = () => void keep().catch(() => {});
    tryToKeep();
    const timer = setInterval(tryToKeep, tagsEveryMs);
    window.addEventListener('online', tryToKeep);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', tryToKeep);
    };
  }, [api, session, owner]);
}

/** Looks up what scanned values belong to, for the signed-in person. */
export function useResolver(): Resolver {
  const api = useTRPCClient();
  const owner = ownerOf(useSession());
  const resolver = useMemo(() => {
    const ask = (values: string[]) =>
      api.scans.resolve.mutate({ values }, { signal: AbortSignal.timeout(resolveMaxMs), context: { alone: true } });
    return createResolver({ owner, ask });
  }, [api, owner]);
  useEffect(() => () => resolver.close(), [resolver]);
  return resolver;
}
