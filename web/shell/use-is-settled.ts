import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const settledMs = 1000;

/** Returns whether the first page has been shown for a second, so that code for later does not slow it down. */
export function useIsSettled(): boolean {
  const isThere = useRouterState({ select: ({ status }) => status === 'idle' });
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    if (!isThere || isSettled) return undefined;
    const timer = setTimeout(() => setIsSettled(true), settledMs);
    return () => clearTimeout(timer);
  }, [isThere, isSettled]);
  return isSettled;
}
