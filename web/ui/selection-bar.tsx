import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './selection-bar.module.css';

/**
 * The actions for the selected rows of a list, and their result. The bar is after the rows and sticks to the bottom
 * edge of the window, so that no row moves under the pointer when it appears.
 */
export function SelectionBar({ children }: { children: ReactNode }) {
  return <Box className={classes['bar']}>{children}</Box>;
}
