import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTRPC, useTRPCClient } from '../api/trpc.js';
import { useSession, useSessionState } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import { createLiveCache } from './cache.js';
import { createLiveHub, type LiveHub, type LiveListener, type LivePosition, type LiveStatus } from './hub.js';

const LiveContext = createContext<LiveHub | null>(null);

/** Keeps the content below it up to date while it is mounted. A tab has one, for one person and organization. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const owner = ownerOf(useSession());
  const [hub] = useState(() => createLiveHub(api, owner));
  const isSignedIn = useSessionState().status === 'signed-in';

  useEffect(() => {
    // After the same person has signed in again, the stream resumes with the missed changes.
    if (!isSignedIn) return;
    const cache = createLiveCache({
      queryClient,
      trpc,
      findPath: (id) => queryClient.query(trpc.locations.path.queryOptions({ location_id: id })),
    });
    const unlisten = hub.listen(cache.listener);
    const stop = hub.start();
    return () => {
      stop();
      unlisten();
      cache.stop();
    };
  }, [hub, queryClient, trpc, isSignedIn]);

  return <LiveContext value={hub}>{children}</LiveContext>;
}

function useHub(): LiveHub {
  const hub = useContext(LiveContext);
  if (!hub) throw new Error('no LiveProvider above');
  return hub;
}

/**
 * Receives changed positions, at most once a frame; the callback may change between renders. Rows of loaded lists are
 * changed without this hook.
 */
export function useLivePositions(onPositions: NonNullable<LiveListener['onPositions']>, onResync?: () => void): void {
  const hub = useHub();
  const latest = useRef({ onPositions, onResync });
  useEffect(() => {
    latest.current = { onPositions, onResync };
  });
  useEffect(
    () =>
      hub.listen({
        onPositions: (positions, moved) => latest.current.onPositions(positions, moved),
        onResync: () => latest.current.onResync?.(),
      }),
    [hub],
  );
}

/** Returns a function that subscribes to assets that arrive at another location, at most once a frame. */
export function useLiveMoves(): (listener: (moved: readonly LivePosition[]) => void) => () => void {
  const hub = useHub();
  return useCallback((listener) => hub.listen({ onPositions: (_, moved) => listener(moved) }), [hub]);
}

export function useLiveStatus(): LiveStatus {
  const hub = useHub();
  const subscribe = useCallback((listener: () => void) => hub.subscribe(listener), [hub]);
  return useSyncExternalStore(subscribe, hub.status);
}
