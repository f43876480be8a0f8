import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/errors.js';

type ActionButtonProps = ButtonProps & { children: ReactNode; onAct: () => Promise<unknown> };

/** A button for an action that can be undone, so it does not ask first. A failure is shown in a notice. */
export function ActionButton({ children, onAct, ...button }: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false);

  async function act(): Promise<void> {
    setBusy(true);
    try {
      await onAct();
    } catch (error) {
      notifications.show({ color: 'red', message: problemOf(error).detail });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button variant="default" loading={isBusy} {...button} onClick={() => void act()}>
      {children}
    </Button>
  );
}
