import type { ReactNode } from 'react';
import classes from './user-text.module.css';

/** Text that people or readers wrote: shown as it is, in its own direction, and never wider than its container. */
export function UserText({ children, lines }: { children: ReactNode; lines?: 1 }) {
  return (
    <bdi
      className={classes['text']}
      data-lines={lines}
      title={lines && typeof children === 'string' ? children : undefined}
    >
      {children}
    </bdi>
  );
}
