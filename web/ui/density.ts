import { useLocalStorage, useMediaQuery } from '@mantine/hooks';

export type Density = 'compact' | 'comfortable';

const storageKey = 'whereabouts-density';

/**
 * Returns the density of all tables in this browser, and a function to change it. The default is compact with a mouse,
 * comfortable with a touchscreen.
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
