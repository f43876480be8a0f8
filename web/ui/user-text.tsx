import type { ReactNode } from 'react';
import classes from './user-text.module.css';

/**
 * Text from people or readers: shown unchanged, in its own direction, never wider than its container, and not
 * translated by the browser.
 */
export function UserText({ children, lines }: { children: ReactNode; lines?: 1 }) {
  return (
    <bdi
      translate="no"
      className={classes['text']}
      data-lines={lines}
      title={lines && typeof children === 'string' ? children : undefined}
    >
      {children}
    </bdi>
  );
}
