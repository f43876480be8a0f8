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
import { useSessionState } from '../session/context.js';
import { createLiveCache } from './cache.js';
import { createLiveHub, type LiveHub, type LiveListener, type LivePosition, type LiveStatus } from './hub.js';

const LiveContext = createContext<LiveHub | null>(null);

/** Keeps what is shown below it up to date, for as long as it is there. One of it belongs into a tab. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [hub] = useState(() => createLiveHub(api));
  const isSignedIn = useSessionState().status === 'signed-in';

  useEffect(() => {
    // A session that ended goes on, with what was missed, when whoever was here signs in again.
    if (!isSignedIn) return;
    const cache = createLiveCache({
      queryClient,
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
 * Hears of positions as they change, at most once a frame; the callback may be another one each time. Rows of lists that were
 * asked for are changed without it.
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

/** Returns how to listen for assets that come to another location, at most once a frame. */
export function useLiveMoves(): (listener: (moved: readonly LivePosition[]) => void) => () => void {
  const hub = useHub();
  return useCallback((listener) => hub.listen({ onPositions: (_, moved) => listener(moved) }), [hub]);
}

export function useLiveStatus(): LiveStatus {
  const hub = useHub();
  const subscribe = useCallback((listener: () => void) => hub.subscribe(listener), [hub]);
  return useSyncExternalStore(subscribe, hub.status);
}
