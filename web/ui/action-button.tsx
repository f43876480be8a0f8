import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../api/errors.js';

type ActionButtonProps = ButtonProps & { 'aria-label'?: string; children: ReactNode; onAct: () => Promise<unknown> };

/** A button for an action that can be undone, so it does not ask first. A failure is shown in a notice. */
export function ActionButton({ children, onAct, ...button }: ActionButtonProps) {
  const act = useMutation({
    mutationFn: onAct,
    onError: (error) => notifications.show({ color: 'red', message: problemOf(error).detail }),
  });
  return (
    <Button variant="default" loading={act.isPending} {...button} onClick={() => act.mutate()}>
      {children}
    </Button>
  );
}
