import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the window is as narrow as a phone, where the bar at the bottom has the navigation. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
}
