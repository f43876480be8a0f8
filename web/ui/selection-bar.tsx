import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './selection-bar.module.css';

/**
 * What can be done with the selected rows of a list, and what became of it. It comes after the rows and stays at the bottom edge of
 * the window, so that no row moves under the pointer when it appears.
 */
export function SelectionBar({ children }: { children: ReactNode }) {
  return <Box className={classes['bar']}>{children}</Box>;
}
