import { useEffect, useRef, useState } from 'react';

const tickMs = 250;
/** A minute of a replay shows an hour. */
const speed = 60;

/** Which instant is shown, and whether a replay runs. */
export type TimeTravel = {
  /** Epoch milliseconds; null for the present, which stays live. */
  at: number | null;
  isPlaying: boolean;
  /** Shows an instant; shows the present for null or an instant that is not in the past. Ends a replay. */
  goTo: (at: number | null) => void;
  /** Replays from the instant shown, or from an hour ago if that is the present. */
  play: () => void;
  pause: () => void;
};

const hourMs = 3_600_000;

const minuteMs = 60_000;

/**
 * Returns the instant to request from the service: in a replay, one for each minute that is shown. Null for the
 * present.
 */
export function askedInstant({ at, isPlaying }: Pick<TimeTravel, 'at' | 'isPlaying'>): number | null {
  return at !== null && isPlaying ? Math.floor(at / minuteMs) * minuteMs : at;
}

type Options = {
  /** The instant in the address; null for the present. */
  initial: number | null;
  /** Called when an instant is chosen, not at each step of a replay. */
  onSettle: (at: number | null) => void;
};

/**
 * Stores the instant that a page shows, and advances it while a replay runs: an hour in a minute, until the present.
 */
export function useTimeTravel({ initial, onSettle }: Options): TimeTravel {
  const [at, setAt] = useState(initial);
  const [isPlaying, setPlaying] = useState(false);
  const shown = useRef(at);
  const settle = useRef(onSettle);

  // The browser's back button shows the instant of the previous address.
  const [addressed, setAddressed] = useState(initial);
  if (!Object.is(addressed, initial)) {
    setAddressed(initial);
    if (!isPlaying) setAt(initial);
  }

  useEffect(() => {
    shown.current = at;
    settle.current = onSettle;
  }, [at, onSettle]);

  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      const next = (shown.current ?? Date.now()) + tickMs * speed;
      if (next < Date.now()) {
        setAt(next);
        return;
      }
      setPlaying(false);
      setAt(null);
      settle.current(null);
    }, tickMs);
    return () => clearInterval(timer);
  }, [isPlaying]);

  function show(next: number | null): void {
    setAt(next);
    settle.current(next);
  }

  return {
    at,
    isPlaying,
    goTo(next) {
      setPlaying(false);
      show(next !== null && next < Date.now() ? next : null);
    },
    play() {
      if (at === null) show(Date.now() - hourMs);
      setPlaying(true);
    },
    pause() {
      setPlaying(false);
      settle.current(at);
    },
  };
}
