import { useLocalStorage, useMediaQuery } from '@mantine/hooks';

export type Density = 'compact' | 'comfortable';

const storageKey = 'whereabouts-density';

/**
 * Returns how tightly tables are set, in all tables of this browser, and a way to change it. Until somebody does:
 * compact with a mouse, comfortable with fingers.
 */
export function useDensity(): [Density, (density: Density) => void] {
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const [kept, setKept] = useLocalStorage<Density | ''>({
    key: storageKey,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  if (kept === 'compact' || kept === 'comfortable') return [kept, setKept];
  return [isTouch ? 'comfortable' : 'compact', setKept];
}
