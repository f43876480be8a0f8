import { createContext, useContext } from 'react';

/** Whether the parts of a page below it show the present, while the rest of the page shows the past. */
export const PresentParts = createContext(false);

/** Returns whether a part of a page has to show that it is about the present. */
export function useIsPresentOnly(): boolean {
  return useContext(PresentParts);
}
