import { t } from '@lingui/core/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';

/**
 * Asks before the person leaves a page with unsaved input, by a link, the Back button or closing the tab.
 *
 * @returns the question to render, and `release`, which has to be called before the page is left on purpose
 */
export function useLeaveGuard(isDirty: boolean): { question: ReactNode; release: () => void } {
  const isReleased = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isReleased.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !isReleased.current,
    withResolver: true,
  });
  const isAsking = blocker.status === 'blocked';
  return {
    release: () => {
      isReleased.current = true;
    },
    question: (
      <Modal opened={isAsking} onClose={() => blocker.reset?.()} title={t`Discard your input?`}>
        <Stack>
          <Text>{t`What you entered on this page is not saved.`}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>{t`Keep editing`}</Button>
            <Button color="red" onClick={() => blocker.proceed?.()}>{t`Discard`}</Button>
          </Group>
        </Stack>
      </Modal>
    ),
  };
}
