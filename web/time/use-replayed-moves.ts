import { useCallback, useEffect, useRef } from 'react';
import { type Outputs, useTRPCClient } from '../api/trpc.js';
import { instantText } from './instant.js';
import type { TimeTravel } from './use-time-travel.js';

export type ReplayedMove = Outputs['visits']['moves']['data'][number];

/** Calls `show` with moves as a replay passes them, until the function that it returns is called. */
export type ReplayedMoves = (show: (moves: readonly ReplayedMove[]) => void) => () => void;

/** The length of one request: ten seconds of a replay. */
const stretchMs = 600_000;
/** The next part is requested when less than this is left of the previous one. */
const reserveMs = 300_000;
const pageSize = 1000;
/** Further moves in one stretch are left out; nobody could follow them. */
const pagesMax = 3;

/** Returns the moves in a location and its sublocations as a replay passes them. They are loaded in advance. */
export function useReplayedMoves({ at, isPlaying }: TimeTravel, locationId: number): ReplayedMoves {
  const api = useTRPCClient();
  const listeners = useRef(new Set<(moves: readonly ReplayedMove[]) => void>());
  const waiting = useRef<ReplayedMove[]>([]);
  const loadedUntil = useRef<number | null>(null);

  const load = useCallback(
    async (fromMs: number, signal: AbortSignal): Promise<void> => {
      const range = { from: instantText(fromMs), until: instantText(fromMs + stretchMs), location_id: locationId };
      let after: { at: string; asset_id: number } | null = null;
      for (let page = 0; page < pagesMax; page += 1) {
        const input: Parameters<typeof api.visits.moves.query>[0] = {
          ...range,
          limit: pageSize,
          ...(after && { after }),
        };
        const { data, next } = await api.visits.moves.query(input, { signal });
        waiting.current.push(...data);
        if (!next) return;
        after = next;
      }
    },
    [api, locationId],
  );

  useEffect(() => {
    if (isPlaying) return;
    waiting.current = [];
    loadedUntil.current = null;
  }, [isPlaying]);

  useEffect(() => {
    if (!isPlaying || at === null) return;
    const passed = waiting.current.filter((move) => Date.parse(move.at) <= at);
    if (passed.length > 0) {
      waiting.current = waiting.current.slice(passed.length);
      for (const show of listeners.current) show(passed);
    }
    const fromMs = loadedUntil.current ?? Math.floor(at / 1000) * 1000;
    if (fromMs - at > reserveMs || fromMs > Date.now()) return;
    loadedUntil.current = fromMs + stretchMs;
    // Without its moves a replay still shows the counts.
    void load(fromMs, AbortSignal.timeout(10_000)).catch(() => {});
  }, [at, isPlaying, load]);

  return useCallback((show) => {
    listeners.current.add(show);
    return () => listeners.current.delete(show);
  }, []);
}
