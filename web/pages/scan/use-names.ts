import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Resolution, Resolver } from '../../scanning/resolver.js';

export type Names = ReadonlyMap<string, Resolution>;

/**
 * Returns what the values on the page belong to, as far as it is known. Values without an answer are looked up again
 * later.
 */
export function useNames(
  resolver: Resolver,
  values: readonly string[],
  /** When this changes, values without an answer are looked up again. */
  occasion: unknown,
): { names: Names; learn: (value: string) => Promise<Resolution> } {
  const [names, setNames] = useState<Names>(new Map());
  const asked = useRef(new Set<string>());

  const learn = useCallback(
    async (value: string) => {
      asked.current.add(value);
      const resolution = await resolver.resolve(value);
      setNames((known) => new Map(known).set(value, resolution));
      return resolution;
    },
    [resolver],
  );

  const wanted = useMemo(() => [...new Set(values)], [values]);
  useEffect(() => {
    const askAll = () => {
      for (const value of wanted) if (!asked.current.has(value)) void learn(value);
    };
    const askAgain = () => {
      asked.current.clear();
      askAll();
    };
    askAll();
    window.addEventListener('online', askAgain);
    return () => window.removeEventListener('online', askAgain);
  }, [wanted, learn]);

  const latest = useRef(names);
  useEffect(() => {
    latest.current = names;
  }, [names]);
  const lastOccasion = useRef(occasion);
  useEffect(() => {
    if (lastOccasion.current === occasion) return;
    lastOccasion.current = occasion;
    for (const [value, resolution] of latest.current) if (resolution === 'unanswered') void learn(value);
  }, [occasion, learn]);

  return { names, learn };
}

/**
 * Returns the match that counts for a value: the first one, as in a submission. Undefined if there is none or it is
 * unknown.
 */
export function deciding(resolution: Resolution | undefined) {
  return resolution === undefined || resolution === 'unanswered' ? undefined : resolution.matches[0];
}
